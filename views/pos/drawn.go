package pos

import (
	"context"
	"strings"
)

// Draw keeps the rows of categories as HTML, so that pages with other rows beside them need not draw them again. It returns how many bytes
// they take.
func Draw(ctx context.Context, categories []Category) (size int, err error) {
	for _, c := range categories {
		for i := range c.Items {
			var row strings.Builder
			if err := item(c.Items[i]).Render(ctx, &row); err != nil {
				return size, err
			}
			c.Items[i].drawn = row.String()
			size += row.Len()
		}
	}
	return size, nil
}

// With returns the row of an item with these picks in the basket.
func (i Item) With(picks []Pick) Item {
	i.Qty, i.Picks, i.drawn = 0, picks, ""
	for _, p := range picks {
		i.Qty += p.Qty
	}
	return i
}
