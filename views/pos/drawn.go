package pos

import (
	"context"
	"strings"
)

// Draw keeps the rows of categories as HTML, so that pages that differ in other rows need not draw these again.
func Draw(ctx context.Context, categories []Category) error {
	for _, c := range categories {
		for i := range c.Items {
			var row strings.Builder
			if err := item(c.Items[i]).Render(ctx, &row); err != nil {
				return err
			}
			c.Items[i].drawn = row.String()
		}
	}
	return nil
}

// With returns the row of an item with these picks in the basket.
func (i Item) With(picks []Pick) Item {
	i.Qty, i.Picks, i.drawn = 0, picks, ""
	for _, p := range picks {
		i.Qty += p.Qty
	}
	return i
}
