package order

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// MaxQty is the largest quantity of one line in an order.
const MaxQty = 99

// MaxName is how many characters the name or the table of an order may have.
const MaxName = 64

// maxLines bounds a forged basket.
const maxLines = 200

// Basket is what a customer chose: quantities from 1 to MaxQty.
type Basket map[Pick]int

// Set sets the quantity of a pick, bounded to 0 and MaxQty (POS-14); 0 removes it.
func (b Basket) Set(pick Pick, qty int) {
	switch {
	case qty <= 0:
		delete(b, pick)
	case len(b) < maxLines || b[pick] > 0:
		b[pick] = min(qty, MaxQty)
	}
}

// Picks returns what was chosen in a stable order.
func (b Basket) Picks() []Pick { return slices.SortedFunc(maps.Keys(b), comparePicks) }

// Lines returns the basket as the lines of an order.
func (b Basket) Lines() []Line {
	lines := make([]Line, 0, len(b))
	for _, pick := range b.Picks() {
		lines = append(lines, pick.Line(b[pick]))
	}
	return lines
}

// String prints the basket for an address: "12x2.15~3-7x1".
func (b Basket) String() string {
	var s strings.Builder
	for i, pick := range b.Picks() {
		if i > 0 {
			s.WriteByte('.')
		}
		s.WriteString(string(pick) + "x" + strconv.Itoa(b[pick]))
	}
	return s.String()
}

// ParseBasket reads what String printed. It ignores the parts that it does not understand, because people type and truncate addresses.
func ParseBasket(s string) Basket {
	basket := Basket{}
	for part := range strings.SplitSeq(s, ".") {
		x := strings.LastIndexByte(part, 'x') // a note may have others
		if x < 0 {
			continue
		}
		qty, err := strconv.Atoi(part[x+1:])
		if pick, ok := ParsePick(part[:x]); ok && err == nil {
			basket.Set(pick, qty)
		}
	}
	return basket
}

// Count returns the number of pieces.
func (b Basket) Count() int {
	count := 0
	for _, qty := range b {
		count += qty
	}
	return count
}

// Of returns the number of pieces of an item, with any options.
func (b Basket) Of(item int64) int {
	count := 0
	for pick, qty := range b {
		if pick.Item() == item {
			count += qty
		}
	}
	return count
}
