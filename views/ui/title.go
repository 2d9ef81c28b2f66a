package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"forecourt/internal/kit/printable"
	"forecourt/internal/site/legal"
)

// title names the page, then the merchant, then the provider.
func (c Customer) title(p legal.Provider) string {
	return join(c.Title, c.Merchant.Name, p.Name)
}

// title names the page, then the business if the page is part of its desk.
func (s Site) title(p legal.Provider, d Desk) string {
	if d.Title == "" {
		return join(s.Title, p.Name)
	}
	return join(d.Title, d.Business, p.Name)
}

func join(parts ...string) string {
	for i := range parts {
		parts[i] = printable.Isolated(parts[i])
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " · ")
}

// refreshContent is the value of the meta refresh element: "5" or "5;url=/pos/panezski/abc".
func (c Customer) refreshContent() string {
	seconds := strconv.Itoa(c.Refresh)
	if c.RefreshURL == "" {
		return seconds
	}
	return seconds + ";url=" + c.RefreshURL
}

// telephone returns the tel: address of a number as people write it.
func telephone(number string) templ.SafeURL {
	return templ.SafeURL("tel:" + strings.Map(func(r rune) rune {
		if r == '+' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, number))
}
