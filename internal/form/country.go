package form

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
)

// Country is an entry of the list of countries.
type Country struct{ Code, Name string }

// Countries lists ISO 3166-1 by name, Australia and the United Kingdom first (FORM-32, FORM-33). Each call computes the list.
func Countries() []Country {
	var list []Country
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			if code := string(a) + string(b); IsCountry(code) {
				list = append(list, Country{Code: code, Name: CountryName(code)})
			}
		}
	}
	first := []string{"GB", "AU"} // a later entry is moved further up
	slices.SortFunc(list, func(a, b Country) int {
		if rank := slices.Index(first, b.Code) - slices.Index(first, a.Code); rank != 0 {
			return rank
		}
		return strings.Compare(sortKey(a.Name), sortKey(b.Name))
	})
	return list
}

// sortKey orders names as an English reader expects, without accents. The tables of a collation would add a megabyte to
// the program.
func sortKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || r == ' ' || r == '.' {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFD.String(name))
}

// IsCountry reports whether a code of two capitals is in ISO 3166-1.
func IsCountry(code string) bool {
	region, err := language.ParseRegion(code)
	return err == nil && len(code) == 2 && region.IsCountry() && region.String() == code && region.Canonicalize() == region &&
		!strings.Contains(notISO, code) && display.English.Regions().Name(region) != ""
}

// notISO holds codes that the library counts as countries but ISO 3166-1 does not: parts of others, unions, former countries.
const notISO = "AC AN CP CQ CS DG EA EU EZ FQ IC NT PC SU TA UN XK YU"

// CountryName returns the name of a country, "" for a code that IsCountry does not know.
func CountryName(code string) string {
	switch code { // newer names than the library's, or plainer ones
	case "CD":
		return "Congo (Kinshasa)"
	case "CG":
		return "Congo (Brazzaville)"
	case "HK":
		return "Hong Kong"
	case "MK":
		return "North Macedonia"
	case "MO":
		return "Macao"
	case "SZ":
		return "Eswatini"
	case "TR":
		return "Türkiye"
	}
	if !IsCountry(code) {
		return ""
	}
	return display.English.Regions().Name(language.MustParseRegion(code))
}
