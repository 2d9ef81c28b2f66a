package desk

import "strings"

// pageNames are the pages of a desk that staff can see, by the first part of their address below it.
var pageNames = map[string]string{
	"": "Home", "today": "Today", "payments": "Payments", "payouts": "Payouts", "disputes": "Disputes", "closings": "Closings",
	"live": "Going live", "shop": "Business",
	"menu": "Menu", "screens": "Screens", "team": "Team", "tables": "Tables", "access": "Access by our staff",
}

// pageName names a page that staff looked at, with the rest of its address.
func pageName(page string) string {
	first, rest, _ := strings.Cut(page, "/")
	name := pageNames[first]
	if name == "" {
		return page
	}
	if rest != "" {
		name += ": " + rest
	}
	return name
}
