package site

import (
	"net/http"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/clock"
	"forecourt/internal/health"
	view "forecourt/views/site"
)

// partWords are what each part is called, and what it means that it works or does not.
var partWords = map[health.Part]struct{ name, works, broken string }{
	health.Ordering: {"Ordering", "Guests can open menus and order.", "Guests cannot open menus or order. Orders made before are kept."},
	health.Payments: {"Payments", "Guests can pay.", "Guests cannot pay. Payments under way are finished when this works again, and nobody is charged twice."},
	health.Gateway:  {"Card gateway", "It answers.", "We do not reach it. We keep trying."},
	health.Mail:     {"Mail", "Receipts and other letters are sent.", "Receipts and other letters wait. They are sent when this works again."},
}

// ShowStatus answers GET /status from memory, so that it stays up while the database is away.
func (h *Handler) ShowStatus(w http.ResponseWriter, r *http.Request) error {
	var parts []view.StatusPart
	zone := clock.Zone(clock.Home)
	for _, standing := range h.health() {
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
	return web.Render(w, r, http.StatusOK, view.StatusPage(parts))
}
