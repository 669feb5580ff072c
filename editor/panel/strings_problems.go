package panel

// What the list of problems says.
const (
	sProblems     = "Problems"
	sShowProblems = "Show the problems"
	sNoProblems   = "No problems found."
	sLooking      = "Looking for problems…"
	sLookingAgain = "; looking again…"
	sOneProblem   = "1 problem"
	sProblemCount = "%d problems"
	sMoreProblems = "… and %d more."
	sFixHelp      = "One step of the history: %s"

	sSuggestions   = "Suggested occluders"
	sSuggest       = "Suggest occluders"
	sSuggesting    = "Looking"
	sSuggestHelp   = "Looks for hulls inside the biggest meshes that hide much from the bookmarks, or from here."
	sNoneSuggested = "No mesh without an occluder hides anything."
	sAccept        = "Accept"
	sAcceptHelp    = "Adds it as part of its object, as one step of the history."
	sDismiss       = "Dismiss"
	sDismissHelp   = "Takes it from this list."
)
