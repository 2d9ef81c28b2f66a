package form

import (
	"slices"
	"sync"
)

// Country is an entry of the list of countries.
type Country struct{ Code, Name string }

// Countries lists ISO 3166-1 by name, Australia and the United Kingdom first (FORM-32, FORM-33).
func Countries() []Country { return slices.Clone(countries) }

// IsCountry reports whether a code of two capitals is in ISO 3166-1.
func IsCountry(code string) bool { return CountryName(code) != "" }

// CountryName returns the name of a country, "" for a code that IsCountry does not know.
func CountryName(code string) string { return countryNames()[code] }

var countryNames = sync.OnceValue(func() map[string]string {
	names := make(map[string]string, len(countries))
	for _, c := range countries {
		names[c.Code] = c.Name
	}
	return names
})
