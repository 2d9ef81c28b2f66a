package form

import (
	_ "embed" // of the countries
	"slices"
	"strings"
	"sync"
)

// countryList is ISO 3166-1 in the order of the list, a code and a name on each line.
//
//go:embed countries.txt
var countryList string

// Country is an entry of the list of countries.
type Country struct{ Code, Name string }

// Countries lists ISO 3166-1 by name, Australia and the United Kingdom first (FORM-32, FORM-33).
func Countries() []Country { return slices.Clone(countries()) }

// IsCountry reports whether a code of two capitals is in ISO 3166-1.
func IsCountry(code string) bool { return CountryName(code) != "" }

// CountryName returns the name of a country, "" for a code that IsCountry does not know.
func CountryName(code string) string { return countryNames()[code] }

var countries = sync.OnceValue(func() (list []Country) {
	for line := range strings.Lines(countryList) {
		code, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = append(list, Country{code, name})
	}
	return list
})

var countryNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, c := range countries() {
		names[c.Code] = c.Name
	}
	return names
})
