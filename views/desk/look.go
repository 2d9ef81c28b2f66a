package desk

// Look is a small page in a business's colour. It is empty for a colour that is not valid.
type Look struct {
	Name           string
	Accent         string
	Ground, Text   string // of a button, on a light page
	Band, DarkBand string
	Changed        bool // small text gets another shade
}
