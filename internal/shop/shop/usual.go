package shop

// Usual is what most businesses of a country have.
type Usual struct{ Currency, TimeZone string }

// UsualIn returns what is usual in a country that businesses can be in; false for any other. In a country with several time zones it is
// that of the largest city.
func UsualIn(country string) (Usual, bool) {
	usual, ok := map[string]Usual{
		"AU": {"AUD", "Australia/Sydney"}, "CA": {"CAD", "America/Toronto"}, "GB": {"GBP", "Europe/London"}, "IE": {"EUR", "Europe/Dublin"},
		"NZ": {"NZD", "Pacific/Auckland"}, "SG": {"SGD", "Asia/Singapore"}, "US": {"USD", "America/New_York"},
	}[country]
	return usual, ok
}
