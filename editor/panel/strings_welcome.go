package panel

// What the editor begins with.
const (
	sWelcome            = "Welcome to Ridgeline"
	sWelcomeNew         = "New level…"
	sWelcomeNewHelp     = "Flat ground, or none."
	sWelcomeOpen        = "Open…"
	sWelcomeOpenHelp    = "A level that was saved."
	sWelcomeImport      = "Import a heightmap…"
	sWelcomeImportHelp  = "PNG, GeoTIFF, HGT, ASC, raw."
	sWelcomeVillage     = "Open the Village"
	sWelcomeVillageHelp = "Houses with rooms and portals."
	sWelcomeSample      = "Go on with the sample level"
	sWelcomeRecent      = "Opened last"
	sWelcomeNone        = "No level yet."
	sWelcomeAlways      = "Show this when the editor starts"
)
