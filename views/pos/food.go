package pos

import (
	"strconv"
	"strings"

	"forecourt/internal/menu"
	"forecourt/views/ui"
)

// AskUs says that nobody noted what an item contains.
const AskUs = "Ask us about allergens."

// Allergens says what an item contains, in plain words: "Contains milk, gluten. May contain tree nuts."
func Allergens(known bool, contains, mayContain []string) string {
	if !known {
		return AskUs
	}
	var text []string
	if names := menu.Names(menu.Allergens, contains); len(names) > 0 {
		text = append(text, "Contains "+strings.ToLower(strings.Join(names, ", "))+".")
	}
	if names := menu.Names(menu.Allergens, mayContain); len(names) > 0 {
		text = append(text, "May contain "+strings.ToLower(strings.Join(names, ", "))+".")
	}
	if text == nil {
		return "No listed allergens."
	}
	return strings.Join(text, " ")
}

// capital begins a text with a capital letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Filter narrows a menu down to what suits a guest. It is a form of its own, so that it works without scripts.
type Filter struct {
	Action    string
	Hidden    [][2]string // the other parameters of the address
	Basket    [][2]string // the basket, for browsers without scripts
	Without   []Ask       // allergens
	Diets     []Ask
	ClearURL  string
	Active    bool
	Shown, Of int
	Unknown   int // hidden because nobody said what they contain
}

// Ask is one thing to ask for.
type Ask struct {
	Code, Name string
	Chosen     bool
}

// result says what was asked for, how many items are shown, and how many are not because nobody knows.
func (f Filter) result() string {
	var asked []string
	for _, a := range f.Without {
		if a.Chosen {
			asked = append(asked, "without "+strings.ToLower(a.Name))
		}
	}
	for _, a := range f.Diets {
		if a.Chosen {
			asked = append(asked, strings.ToLower(a.Name))
		}
	}
	text := strings.Join(asked, ", ") + ": " + strconv.Itoa(f.Shown) + " of " + ui.Count(f.Of, "item") + "."
	text = strings.ToUpper(text[:1]) + text[1:]
	if f.Unknown > 0 {
		verb := " are"
		if f.Unknown == 1 {
			verb = " is"
		}
		text += " " + strconv.Itoa(f.Unknown) + verb + " hidden because the allergens are not listed. Ask us about them."
	}
	return text
}
