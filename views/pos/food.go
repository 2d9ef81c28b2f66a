package pos

import (
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/shop/menu"
	"forecourt/views/ui"
)

// AskUs says that nobody noted what an item contains.
const AskUs = "Ask us about allergens"

// NotAsked marks a choice that does not suit a guest's filter, or may not.
const NotAsked = "Does not match your filter"

// Allergens is AllAllergens for a row of the menu, from which a guest may order without looking further.
func Allergens(told menu.AllergenFacts) string { return strings.TrimSuffix(AllAllergens(told), ".") }

// AllAllergens says it in full: "Contains gluten. May contain tree nuts. Some choices contain milk, soy."
func AllAllergens(told menu.AllergenFacts) string {
	if !told.Known {
		return AskUs
	}
	var text []string
	list := func(begin string, codes []string) {
		if names := menu.Names(menu.Allergens, codes); len(names) > 0 {
			text = append(text, begin+strings.ToLower(strings.Join(names, ", "))+".")
		}
	}
	list("Contains ", told.Contains)
	list("May contain ", told.MayContain)
	list("Some choices contain ", told.Depends)
	switch {
	case text == nil && told.Ask:
		return AskUs
	case text == nil:
		return "No listed allergens."
	case told.Ask:
		text = append(text, "Ask us about the options.")
	}
	return strings.Join(text, " ")
}

// ToAvoid says which options a guest has to avoid of an item that otherwise suits the filter; "" for none.
func ToAvoid(not []string) string {
	if len(not) == 0 {
		return ""
	}
	last := len(not) - 1
	text := not[last]
	if last > 0 {
		text = strings.Join(not[:last], ", ") + " or " + text
	}
	return "Suits you, but not with " + text + "."
}

// food says what a choice of the group contains. It says nothing if the same is true of all choices.
func (g Group) food(c Choice) string {
	switch {
	case c.Contained() != "":
		return capital(c.Contained())
	case g.unknown() || !g.mentions():
		return ""
	case !c.AllergensKnown:
		return AskUs
	default:
		return "No listed allergens"
	}
}

// unknown reports whether nobody said what any of the choices contains.
func (g Group) unknown() bool {
	return !slices.ContainsFunc(g.Choices, func(c Choice) bool { return c.AllergensKnown })
}

// mentions reports whether there is something to say about a choice.
func (g Group) mentions() bool {
	return slices.ContainsFunc(g.Choices, func(c Choice) bool { return !c.AllergensKnown || c.Contained() != "" })
}

// capital begins a text with a capital letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Filter narrows down a menu to what suits a guest. It is a separate form, so that it works without scripts.
type Filter struct {
	Action    string
	Hidden    [][2]string // the other parameters of the address
	Basket    [][2]string // the basket, for browsers without scripts
	Without   []Ask       // allergens
	Diets     []Ask
	ClearURL  string
	Active    bool
	Shown, Of int
	Options   bool // a shown item has options, for which diets are not known
	Unknown   int  // hidden because nobody said what they contain
}

// offered reports whether the menu states anything to ask for.
func (f Filter) offered() bool { return len(f.Without)+len(f.Diets) > 0 }

// Ask is one choice of the filter.
type Ask struct {
	Code, Name string
	Chosen     bool
}

// result names the chosen filter and says how many items are shown, and how many are hidden because their allergens are not known.
func (f Filter) result() string {
	var asked []string
	diet := false
	for _, a := range f.Without {
		if a.Chosen {
			asked = append(asked, "without "+strings.ToLower(a.Name))
		}
	}
	for _, a := range f.Diets {
		if a.Chosen {
			diet = true
			asked = append(asked, strings.ToLower(a.Name))
		}
	}
	text := strings.Join(asked, ", ") + ": " + strconv.Itoa(f.Shown) + " of " + ui.Count(f.Of, "item") + "."
	text = capital(text)
	if f.Unknown > 0 {
		text += " " + strconv.Itoa(f.Unknown) + " " + isAre(f.Unknown) + " hidden because the allergens are not listed. Ask us about them."
	}
	if diet && f.Options {
		text += " What you choose with an item may not suit. Ask us if you are not sure."
	}
	return text
}
