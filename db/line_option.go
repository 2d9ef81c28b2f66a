package db

import "strings"

// LineOption is an option that was chosen with a line of an order, as it was when the order was made. PriceMinor is its addition to the
// item's price in minor units. Contains and MayContain are codes of allergens; they are empty if nobody has stated them.
type LineOption struct {
	ID         int64  `json:"id"`
	Group      string `json:"group"`
	Name       string `json:"name"`
	PriceMinor int64  `json:"price_minor"`

	Contains   []string `json:"contains,omitempty"`
	MayContain []string `json:"may_contain,omitempty"`
}

// OptionNames lists the names of options: "Large, Oat milk".
func OptionNames(options []LineOption) string {
	names := make([]string, len(options))
	for i, option := range options {
		names[i] = option.Name
	}
	return strings.Join(names, ", ")
}
