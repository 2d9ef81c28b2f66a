package form

import (
	_ "embed" // of the countries
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// BusinessInfo is the business that applies.
type BusinessInfo struct {
	Country          string `json:"country"` // two letters, ISO 3166-1
	TradingName      string `json:"name"`
	EntityName       string `json:"entityName"`
	EntityType       string `json:"entityType"`
	NatureOfBusiness string `json:"natureOfBusiness"`
	Website          string `json:"url"`
}

// The most characters.
const (
	maxNature  = 1000 // characters of the description of a business
	maxWebsite = 300  // characters of its web address
)

// Check requires a country, a trading name and a kind of entity; the rest is optional (FORM-28 to FORM-31).
func (s *BusinessInfo) Check(string) fault.Problems {
	f := findings{}
	if s.Country == "" {
		f.add("country", 0, "Choose a country")
	} else if !IsCountry(s.Country) {
		f.add("country", 0, notOnList)
	}
	if s.TradingName == "" {
		f.add("name", 0, "Enter the trading name")
	}
	if s.EntityType == "" {
		f.add("entityType", 0, "Choose the entity type")
	} else if !slices.Contains(EntityTypes(), s.EntityType) {
		f.add("entityType", 0, notOnList)
	}
	if s.Website != "" && !isWebsite(s.Website) {
		f.add("url", 0, "Enter a website like www.example.com")
	}
	s.kept(f)
	return fault.Problems(f)
}

// isWebsite accepts what people type, with or without https:// in front.
func isWebsite(text string) bool {
	if strings.ContainsFunc(text, unicode.IsSpace) {
		return false
	}
	u, err := url.Parse(WebsiteURL(text))
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && strings.Contains(strings.Trim(u.Host, "."), ".")
}

// WebsiteURL returns the URL for what was typed, such as "www.example.com".
func WebsiteURL(text string) string {
	if !strings.Contains(text, "://") {
		return "https://" + text
	}
	return text
}

func (s *BusinessInfo) kept(f findings) {
	f.text("country", 0, s.Country, maxName, notOnList)
	f.text("name", 0, s.TradingName, maxBusiness, "Use at most 200 characters for the trading name")
	f.text("entityName", 0, s.EntityName, maxBusiness, "Use at most 200 characters for the legal entity name")
	f.text("entityType", 0, s.EntityType, maxName, notOnList)
	f.text("natureOfBusiness", 0, s.NatureOfBusiness, maxNature, "Describe the business in at most 1,000 characters")
	f.text("url", 0, s.Website, maxWebsite, "Use at most 300 characters for the website's address")
}

func (s *BusinessInfo) tidy() {
	s.NatureOfBusiness = typed.Text(s.NatureOfBusiness)
	for _, field := range []*string{&s.Country, &s.TradingName, &s.EntityName, &s.EntityType, &s.Website} {
		*field = typed.Line(*field)
	}
}

func (s *BusinessInfo) drop() {}

func (s *BusinessInfo) apply(d *Data) { d.BusinessInfo = *s }

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
