package layout

import "strconv"

const product = "Forecourt"

// title says page, then merchant, then product.
func (c Customer) title() string {
	return join(c.Title, c.Merchant.Name, product)
}

func (s Site) title() string {
	return join(s.Title, product)
}

func join(parts ...string) string {
	title := ""
	for _, p := range parts {
		if p == "" {
			continue
		}
		if title != "" {
			title += " · "
		}
		title += p
	}
	return title
}

// refreshContent is the value of the meta refresh element: "5" or "5;url=/pos/panezski/abc".
func (c Customer) refreshContent() string {
	seconds := strconv.Itoa(c.Refresh)
	if c.RefreshURL == "" {
		return seconds
	}
	return seconds + ";url=" + c.RefreshURL
}
