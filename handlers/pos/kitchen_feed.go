package pos

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"

	"forecourt/handlers/web"
	"forecourt/internal/shop/shop"
	view "forecourt/views/pos"
)

// lookApart is the least time between two looks of a stream. On a busy evening orders change ten times a second, and nobody reads a screen
// that fast; a tapped ticket goes at once, by the screen's own script.
const lookApart = time.Second

// feed is one open stream.
type feed struct {
	h       *Kitchen
	r       *http.Request
	shop    string
	stream  *web.Stream
	changed <-chan struct{}
	sent    map[string]string // the last content sent, by the element's id
}

// run sends the board, then its changes until the session ends or the reader is gone.
func (f *feed) run(screen view.Screen) {
	// Each beat also looks: an event may be lost with its process, and a session or screen may end.
	tick := time.NewTicker(web.BeatEvery)
	defer tick.Stop()
	for f.send(screen) {
		select {
		case <-time.After(lookApart):
		case <-f.h.Live.Closed():
			return
		case <-f.r.Context().Done():
			return
		}
		select {
		case <-f.changed:
		case <-tick.C:
			if f.stream.Beat() != nil {
				return
			}
		case <-f.h.Live.Closed():
			return
		case <-f.r.Context().Done():
			return
		}
		next, on := f.look(screen)
		if !on {
			return
		}
		screen = next
	}
}

// look reads the board again. If the database does not answer, the board stays as it is.
func (f *feed) look(before view.Screen) (view.Screen, bool) {
	if _, still, err := f.h.Teams.Touch(f.r, shop.Kitchen); err != nil {
		return before, true
	} else if !still {
		return before, false // signed out, no longer on the team, in another role, or the screen was ended
	}
	if f.h.Kitchens.Seen(f.r.Context(), f.shop) != nil {
		return before, true
	}
	screen, err := f.h.screen(f.r, f.shop)
	if err != nil {
		return before, true
	}
	return screen, true
}

// send sends the changed parts. It returns false if the reader is gone.
func (f *feed) send(s view.Screen) bool {
	now := parts(s)
	changed := map[string]bool{}
	for id, is := range now {
		if was, ok := f.sent[id]; !ok || was != is {
			changed[id] = true
		}
	}
	if len(changed) == 0 && len(now) == len(f.sent) {
		return true
	}
	var part bytes.Buffer
	present := slices.Sorted(maps.Keys(parts(view.Screen{Locations: s.Locations}))) // what can be sold out stays
	if view.ChangesPart(s, present, changed).Render(templ.InitializeContext(f.r.Context()), &part) != nil {
		return false
	}
	f.sent = now
	return f.stream.SendAs(version(now), part.Bytes()) == nil
}

// parts returns the content of a screen by the element's id.
func parts(s view.Screen) map[string]string {
	now := map[string]string{"pause": view.Paused(s.Stock)}
	for _, one := range s.Stock.All() {
		now[view.Element(one)] = fmt.Sprint(one.Name, one.SoldOut, view.Until(one.Until, s.Stock.Now))
	}
	for _, p := range s.Locations {
		now[p.ID] = p.Name
		for _, t := range p.Tickets {
			now[view.TicketID(t)] = fmt.Sprint(t.Table, t.Name, t.Test, t.Lines) // the screen itself counts its age
		}
		if p.Gap != nil {
			now[p.Gap.ID] = fmt.Sprint(p.Gap.PaidAt, p.Gap.Orders)
		}
		for _, d := range p.Done {
			now[view.DoneID(d)] = d.DoneAt.String()
		}
	}
	return now
}

// version returns a hash that identifies what a board shows.
func version(parts map[string]string) string {
	hash := sha256.New()
	for _, id := range slices.Sorted(maps.Keys(parts)) {
		_, _ = fmt.Fprintf(hash, "%q%q", id, parts[id]) // to memory
	}
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:15])
}

// shown returns the version of the board that a browser has: the last one that was sent to it, or that of its page.
func shown(r *http.Request) string {
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		return last
	}
	return r.URL.Query().Get("v")
}
