package desk

// Look is what a colour makes of a business's pages.
type Look struct {
	Name           string
	Accent         string
	Ground, Text   string // of a button, on a light page
	Band, DarkBand string
	Changed        bool // small text gets another shade
}
