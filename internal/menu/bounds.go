package menu

import (
	"errors"
	"fmt"

	"forecourt/internal/bulk"
)

// ErrBig means that a file has far more than a menu can hold.
var ErrBig = errors.New("more than a menu can hold")

// slack is how many times the size of the largest menu a file may have, so that Check can say what there is too much of. Larger files are
// refused before they cause much work.
const slack = 2

// mostRows is how many rows a CSV file may have.
const mostRows = slack * (MostItems + MostCategories + MostGroups*MostChoices)

// boundedJSON returns ErrBig for a text with far more in it than a menu can hold: reading it would make room for everything first.
func boundedJSON(data []byte) error {
	n := bulk.Elements(data, 2)
	if n[0] > slack*(MostCategories+MostGroups) || n[1] > mostRows {
		return ErrBig
	}
	return nil
}

// bounded returns ErrBig for far more than a menu can hold.
func (m *Menu) bounded() error {
	if len(m.Categories) > slack*MostCategories || len(m.Groups) > slack*MostGroups || m.Count() > slack*MostItems {
		return ErrBig
	}
	for _, group := range m.Groups {
		if len(group.Choices) > slack*MostChoices {
			return ErrBig
		}
		for _, choice := range group.Choices {
			if max(len(choice.Contains), len(choice.MayContain)) > 100 {
				return ErrBig
			}
		}
	}
	for _, category := range m.Categories {
		for _, item := range category.Items {
			if max(len(item.Groups), len(item.Contains), len(item.MayContain), len(item.Diets)) > 100 {
				return ErrBig
			}
		}
	}
	return nil
}

func tooBig() string {
	return fmt.Sprintf("The file is too large for a menu, which has at most %d items, %d categories and %d option groups of %d choices.",
		MostItems, MostCategories, MostGroups, MostChoices)
}
