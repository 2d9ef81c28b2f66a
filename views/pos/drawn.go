package pos

import (
	"context"
	"strings"
)

// Draw keeps the rows of categories as HTML, so that pages with other rows beside them need not draw them again.
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

// Size is about how many bytes a menu takes whose rows are drawn.
func (m Menu) Size() (bytes int) {
	for _, c := range m.Categories {
		for _, i := range c.Items {
			bytes += 512 + 2*len(i.Name) + len(i.Description) + len(i.drawn)
		}
	}
	return bytes
}

// With returns the row of an item of which the basket has these picks.
func (i Item) With(picks []Pick) Item {
	i.Qty, i.Picks, i.drawn = 0, picks, ""
	for _, p := range picks {
		i.Qty += p.Qty
	}
	return i
}
