// Package bought defines what a line of an order keeps of the options that were chosen.
package bought

import "strings"

// Option is one choice as it was when the order was made. PriceMinor is what it added to the item's price, in minor units. Contains and
// MayContain are codes of allergens, empty where nobody said what it contains.
type Option struct {
	ID         int64  `json:"id"`
	Group      string `json:"group"`
	Name       string `json:"name"`
	PriceMinor int64  `json:"price_minor"`

	Contains   []string `json:"contains,omitempty"`
	MayContain []string `json:"may_contain,omitempty"`
}

// Names lists the names of options: "Large, Oat milk".
func Names(options []Option) string {
	names := make([]string, len(options))
	for i, option := range options {
		names[i] = option.Name
	}
	return strings.Join(names, ", ")
}
