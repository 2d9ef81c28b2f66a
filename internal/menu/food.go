package menu

import "slices"

// Kind is an allergen or a diet: its code in documents and its name for people.
type Kind struct{ Code, Name string }

// Allergens are those that the food laws of Australia, New Zealand, the United Kingdom and the European Union name.
var Allergens = []Kind{
	{"celery", "Celery"}, {"crustaceans", "Crustaceans"}, {"egg", "Egg"}, {"fish", "Fish"}, {"gluten", "Gluten"}, {"lupin", "Lupin"},
	{"milk", "Milk"}, {"molluscs", "Molluscs"}, {"mustard", "Mustard"}, {"peanut", "Peanut"}, {"sesame", "Sesame"}, {"soy", "Soy"},
	{"sulphites", "Sulphites"}, {"nuts", "Tree nuts"}, {"wheat", "Wheat"},
}

// Diets are the diets that an item can suit.
var Diets = []Kind{{"vegetarian", "Vegetarian"}, {"vegan", "Vegan"}, {"halal", "Halal"}, {"kosher", "Kosher"}}

// never lists what a diet rules out.
var never = map[string][]string{
	"vegetarian": {"crustaceans", "fish", "molluscs"},
	"vegan":      {"crustaceans", "egg", "fish", "milk", "molluscs"},
}

func known(kinds []Kind, code string) bool {
	return slices.ContainsFunc(kinds, func(k Kind) bool { return k.Code == code })
}

// sorted returns codes once each, in the order of kinds. It reports false if one is unknown.
func sorted(kinds []Kind, codes []string) (tidy []string, ok bool) {
	for _, k := range kinds {
		if slices.Contains(codes, k.Code) {
			tidy = append(tidy, k.Code)
		}
	}
	return tidy, !slices.ContainsFunc(codes, func(code string) bool { return !known(kinds, code) })
}

// Names returns the names of codes.
func Names(kinds []Kind, codes []string) (names []string) {
	for _, k := range kinds {
		if slices.Contains(codes, k.Code) {
			names = append(names, k.Name)
		}
	}
	return names
}
