package menu

import (
	"slices"
	"strings"

	"forecourt/db"
)

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

// never lists the allergens that a diet rules out.
var never = map[string][]string{
	"vegetarian": {"crustaceans", "fish", "molluscs"},
	"vegan":      {"crustaceans", "egg", "fish", "milk", "molluscs"},
}

// sorted returns codes once each, in the order of kinds. It reports false if one is unknown.
func sorted(kinds []Kind, codes []string) (tidy []string, ok bool) {
	for _, k := range kinds {
		if slices.Contains(codes, k.Code) {
			tidy = append(tidy, k.Code)
		}
	}
	return tidy, !slices.ContainsFunc(codes, func(code string) bool { return !slices.Contains(tidy, code) })
}

// AllergenFacts is what guests are told about the allergens of an item with its options, in codes of Allergens.
type AllergenFacts struct {
	Known                bool     // somebody said what the item itself contains
	Contains, MayContain []string // whatever options are chosen
	Depends              []string // with some of its options only
	Ask                  bool     // nobody said what some of its options contain
}

// Contained says what something contains: "contains milk, soy; may contain tree nuts". It is "" if there is nothing to say.
func (f Food) Contained() string {
	var texts []string
	if names := Names(Allergens, f.Contains); len(names) > 0 {
		texts = append(texts, "contains "+strings.ToLower(strings.Join(names, ", ")))
	}
	if names := Names(Allergens, f.MayContain); len(names) > 0 {
		texts = append(texts, "may contain "+strings.ToLower(strings.Join(names, ", ")))
	}
	return strings.Join(texts, "; ")
}

// Named returns the name of a choice with what it contains, "Soy (contains soy)", or the name alone if there is nothing to say.
func Named(name string, f Food) string {
	if words := f.Contained(); words != "" {
		return name + " (" + words + ")"
	}
	return name
}

// OptionName is Named for an option of a line of an order.
func OptionName(o db.LineOption) string {
	return Named(o.Name, Food{Contains: o.Contains, MayContain: o.MayContain})
}

// RuledOut lists the allergens that a diet rules out, nil for none.
func RuledOut(diet string) []string { return never[diet] }

// Names returns the names of codes.
func Names(kinds []Kind, codes []string) (names []string) {
	for _, k := range kinds {
		if slices.Contains(codes, k.Code) {
			names = append(names, k.Name)
		}
	}
	return names
}
