package site

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/pay/settlement"
	"forecourt/views/ui"
)

// maxHere is the length of the longest address that signing in leads back to.
const maxHere = 1000

// Dress gives every page its provider and its navigation. Pages without a main bar cost no query.
func (h *Handler) Dress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		chrome := ui.Chrome{
			Provider: h.Provider, Fees: h.fees, Bar: h.bar, Here: here(r.URL), OpenDemo: h.OpenDemo,
			Styles: web.StylesFor(r, h.HTTPS), Live: h.Live, Waiting: h.Waiting,
		}
		next.ServeHTTP(w, r.WithContext(ui.With(r.Context(), chrome)))
	})
}

// bar lists the stored entries that have an address (NAV-09).
func (h *Handler) bar(ctx context.Context) []ui.Link {
	var links []ui.Link
	for _, entry := range h.Nav.Current(ctx).Main {
		if entry.Url != "" {
			links = append(links, ui.Link{Name: entry.Name, URL: entry.Url})
		}
	}
	return links
}

func (h *Handler) fees(ctx context.Context) settlement.Fees { return h.Nav.Current(ctx).Fees }

// here returns the address to which signing in on this page leads back. It returns "" for pages about signing in and
// for addresses that a browser would take for another site's.
func here(u *url.URL) string {
	address := u.RequestURI()
	switch u.Path {
	case "/signin", "/signup", "/signout", "/reset":
		return ""
	}
	if strings.HasPrefix(u.Path, "/reset/") || strings.HasPrefix(u.Path, "/first/") {
		return "" // the address is a secret
	}
	if strings.HasPrefix(u.Path, "//") || strings.Contains(u.Path, `\`) || len(address) > maxHere {
		return ""
	}
	return address
}
