package site

import (
	"net/http"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	view "forecourt/views/site"
)

// partWords names each part and describes it when it works and when it is down.
var partWords = map[Part]struct{ name, works, broken string }{
	Ordering: {"Ordering", "Guests can open menus and order.", "Guests cannot open menus or order. Earlier orders are kept."},
	Payments: {
		"Payments", "Guests can pay.", "Guests cannot pay. Payments under way are finished when this works again, and nobody is charged twice.",
	},
	Gateway: {"Card gateway", "It answers.", "We cannot reach it. We keep trying."},
	Mail: {
		"Email", "Receipts and other emails are sent.", "Receipts and other emails are waiting. We will send them when this works again.",
	},
}

// ShowStatus answers from memory, so that it stays up while the database is away.
func (h *Handler) ShowStatus(w http.ResponseWriter, r *http.Request) error {
	var parts []view.StatusPart
	zone := clock.Zone(clock.Home)
	for _, standing := range h.Health.Parts() {
		words := partWords[standing.Part]
		part := view.StatusPart{
			Name: words.name, Text: words.works, Works: standing.Works,
			Since: clock.Text(standing.Since, zone), ISO: standing.Since.UTC().Format(time.RFC3339),
		}
		if !standing.Works {
			part.Text = words.broken
		}
		parts = append(parts, part)
	}
	return web.Render(w, r, http.StatusOK, view.StatusPage(parts, Every))
}
