package menu

import (
	"strings"

	"forecourt/internal/kit/card"
)

// Words returns the message for a field's problem.
func Words(kind, field string, problem Problem) string {
	if problem == HoldsCard {
		return card.LeaveOut
	}
	if strings.HasPrefix(field, "choices.") {
		kind, field = "choice", field[strings.LastIndex(field, ".")+1:]
	}
	if field == "name" {
		return nameWords(kind, problem)
	}
	if text := fieldWords[field][problem]; text != "" {
		return text
	}
	return "Check this: " + field + "."
}

func nameWords(kind string, problem Problem) string {
	if kind == "group" {
		kind = "option group"
	}
	switch problem {
	case Missing:
		return "Enter a name for the " + kind + "."
	case Long:
		return "Use at most 80 characters for the name."
	case Twice:
		return "Another " + kind + " has this name. Choose a different one."
	case Many:
		return manyWords[kind]
	default:
		return "Use printable characters for the name."
	}
}

var manyWords = map[string]string{
	"category": "A menu has at most 100 categories.", "item": "A menu has at most 2,000 items.",
	"option group": "A menu has at most 300 option groups.",
}

// fieldWords are the messages of the other fields.
var fieldWords = map[string]map[Problem]string{
	"description": {Long: "Use at most 500 characters for the description.", Unfit: "Use printable characters for the description."},
	"priceMinor": {
		Missing: "Enter a price, or 0 for a free item.", Unfit: "Enter a price like 4.50.",
		Below: "With its cheapest options this item would cost less than nothing. Raise the price.",
	},
	"loc": {
		Missing: "Choose where this is made.", Long: "Use at most 40 characters for the location.",
		Unfit:   "Use printable characters for the location.",
		Unknown: "Choose one of the locations in your business details.",
	},
	"picture":  {Unfit: "The business has no such picture. Upload it again, or leave it out."},
	"noteMax":  {Unfit: "Choose a note length from 1 to 140 characters."},
	"contains": {Unknown: "Choose from the list of allergens.", Clash: "Say that the allergens are known before you list them."},
	"mayContain": {Unknown: "Choose from the list of allergens.",
		Clash: "Tick an allergen under “contains” or “may contain”, not both."},
	"diets": {Unknown: "Choose from the list of diets.", Clash: "This diet does not fit what the item contains."},
	"hours": {
		Unfit:   "Write hours like Mon-Fri 7am-3pm, with a line for each day or date.",
		Overlap: "These times overlap. Join or shorten them.", Many: "Enter fewer times and dates.",
		Missing: "Enter at least one time, or choose always.",
	},
	"allergens": {Clash: "Tick what it contains or may contain, or choose another answer."},
	"category":  {Missing: "Choose a category."},
	"groups": {
		Unknown: "Choose option groups of this menu.", Twice: "Choose each option group once.", Many: "An item asks at most 12 option groups.",
	},
	"max": {
		Unfit: "Enter how many choices a guest may make: at least 1, and not fewer than must be made.",
		Clash: "A guest must make more choices than there are. Add choices or lower the number.",
	},
	"choices": {
		Missing: "Enter at least one choice.", Many: "A group has at most 50 choices.",
		Clash: "More choices are selected by default than a guest may make.",
		Below: "With these choices an item would cost less than nothing.",
	},
}
