// Package bought defines the chosen options as a line of an order stores them.
package bought

import "strings"

// Option is one choice as it was when the order was made. PriceMinor is its addition to the item's price in minor units. Contains and
// MayContain are codes of allergens; they are empty if nobody has stated them.
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
