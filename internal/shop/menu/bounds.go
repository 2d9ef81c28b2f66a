package menu

import (
	"fmt"
	"slices"
)

// slack is how many times the size of the largest menu a file may have, so that Check can say what there is too much of. Larger files are
// refused before they cause much work.
const slack = 2

// mostRows is how many rows a CSV file may have.
const mostRows = slack * (MostItems + MostCategories + MostGroups*MostChoices)

// oversized reports whether there is far more than a menu can hold.
func (m *Menu) oversized() bool {
	return len(m.Categories) > slack*MostCategories || len(m.Groups) > slack*MostGroups || m.Count() > slack*MostItems ||
		slices.ContainsFunc(m.Groups, func(g Group) bool { return len(g.Choices) > slack*MostChoices })
}

func tooBig() string {
	return fmt.Sprintf("The file is too large for a menu, which has at most %d items, %d categories and %d option groups of %d choices.",
		MostItems, MostCategories, MostGroups, MostChoices)
}
