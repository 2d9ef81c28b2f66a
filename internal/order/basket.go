package order

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// MaxQty is the largest quantity of one item in an order.
const MaxQty = 99

// maxLines bounds a forged basket.
const maxLines = 200

// Basket is what a customer chose: quantities from 1 to MaxQty by item id.
type Basket map[int64]int

// Set sets the quantity of an item, bounded to 0 and MaxQty (POS-14); 0 removes it.
func (b Basket) Set(id int64, qty int) {
	switch {
	case qty <= 0:
		delete(b, id)
	case len(b) < maxLines || b[id] > 0:
		b[id] = min(qty, MaxQty)
	}
}

// IDs returns the chosen items in a stable order.
func (b Basket) IDs() []int64 {
	ids := make([]int64, 0, len(b))
	for id := range b {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, cmp.Compare)
	return ids
}

// String prints the basket for an address: "12x2.15x1".
func (b Basket) String() string {
	var s strings.Builder
	for i, id := range b.IDs() {
		if i > 0 {
			s.WriteByte('.')
		}
		s.WriteString(strconv.FormatInt(id, 10) + "x" + strconv.Itoa(b[id]))
	}
	return s.String()
}

// ParseBasket reads what String printed. It ignores what makes no sense: people type and truncate addresses.
func ParseBasket(s string) Basket {
	basket := Basket{}
	for part := range strings.SplitSeq(s, ".") {
		left, right, _ := strings.Cut(part, "x")
		id, err := strconv.ParseInt(left, 10, 64)
		qty, err2 := strconv.Atoi(right)
		if err == nil && err2 == nil && id > 0 {
			basket.Set(id, qty)
		}
	}
	return basket
}

// Count is the number of pieces.
func (b Basket) Count() int {
	count := 0
	for _, qty := range b {
		count += qty
	}
	return count
}

// Total is the price of the basket by a menu, in minor units; items that are not on the menu count nothing.
func (b Basket) Total(menu *Menu) int64 {
	var total int64
	for id, qty := range b {
		if item := menu.Item(id); item != nil && item.Available && !item.SoldOut {
			total += item.PriceMinor * int64(qty)
		}
	}
	return total
}
