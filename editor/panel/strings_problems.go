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
)
