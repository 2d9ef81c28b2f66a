package pay

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"forecourt/db"
	"forecourt/internal/payment"
	"forecourt/internal/web"
	view "forecourt/views/pay"
)

const (
	// maxLooks is how many streams read the database at once, so that payments keep most of its connections.
	maxLooks = 4
	// beatEvery keeps a silent stream alive.
	beatEvery = 15 * time.Second
	// waitingLook is how often a stream looks unasked while a payment is open: an event may be lost with the process that
	// had to tell of it, and the page has to end within 2 s all the same.
	waitingLook = 1500 * time.Millisecond
	// failedLook is when a stream that could not look tries again.
	failedLook = 2 * time.Second
)

// showEvents answers GET /pos/{client}/{id}/events: what the page shows now, and again whenever that changes, until there
// is nothing more to follow. A page with nothing to follow gets 204, which a browser takes for the end.
func (h *Handler) showEvents(w http.ResponseWriter, r *http.Request) error {
	// Before the first look, or a change in between would be missed.
	changed, cancel := h.live.Subscribe(chi.URLParam(r, "id"))
	defer cancel()
	row, lines, err := h.transaction(r)
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead || h.model(row, lines).EventsURL == "" {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	release, ok := h.streams.Take(h.proxies.Client(r))
	if !ok {
		w.Header().Set("Retry-After", "15")
		http.Error(w, "Too many pages are open. This one asks from time to time instead.", http.StatusServiceUnavailable)
		return nil
	}
	defer release()
	stream, err := web.OpenStream(w)
	if err != nil {
		return nil // the reader is gone already
	}
	(&feed{h: h, r: r, stream: stream, changed: changed}).run(row, lines)
	return nil
}

// feed is one open stream.
type feed struct {
	h       *Handler
	r       *http.Request
	stream  *web.Stream
	changed <-chan struct{}
	sent    [sha256.Size]byte // of what was sent last
}

// run shows what was read, then looks again and again until there is nothing to follow or the reader is gone.
func (f *feed) run(row db.TransactionGetRow, lines []db.OrderLineListRow) {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	pause, on := f.show(row, lines)
	for on && f.rest(beat.C, pause) {
		pause, on = f.look()
	}
}

// rest waits until there is a reason to look, at the latest after pause unless that is 0. It returns false when the stream
// is over.
func (f *feed) rest(beat <-chan time.Time, pause time.Duration) bool {
	var unasked <-chan time.Time
	if pause > 0 {
		unasked = time.After(pause)
	}
	for {
		select {
		case <-f.changed:
			return true
		case <-unasked:
			return true
		case <-beat:
			if f.stream.Beat() != nil {
				return false
			}
		case <-f.h.live.Closed():
			return false
		case <-f.r.Context().Done():
			return false
		}
	}
}

// look reads the transaction and shows it. A database that does not answer is asked again.
func (f *feed) look() (pause time.Duration, on bool) {
	select {
	case f.h.looks <- struct{}{}:
	case <-f.r.Context().Done():
		return 0, false
	}
	row, lines, err := f.h.transaction(f.r)
	<-f.h.looks
	if err != nil {
		return failedLook, !errors.Is(err, payment.ErrMissing)
	}
	return f.show(row, lines)
}

// show sends what the page shows of a transaction unless it was sent last, and tells when to look unasked and whether to
// go on at all.
func (f *feed) show(row db.TransactionGetRow, lines []db.OrderLineListRow) (pause time.Duration, on bool) {
	page := f.h.model(row, lines)
	page.Card = emptyForm(row, rand.Text())
	var part bytes.Buffer
	if templ.RenderFragments(f.r.Context(), &part, view.PaymentPage(page), view.Payment) != nil {
		return 0, false
	}
	if sum := sha256.Sum256(part.Bytes()); sum != f.sent {
		if f.stream.Send(part.Bytes()) != nil {
			return 0, false
		}
		f.sent = sum
	}
	if page.State == view.Waiting && page.Contact == "" {
		pause = waitingLook
	}
	if row.AttemptState == "redirected" && page.State == view.Waiting {
		// The customer may have answered the bank on another device; what comes of it is announced.
		f.h.payments.Returned(f.r.Context(), row.Client.Code, row.Transaction.ID)
	}
	return pause, page.EventsURL != ""
}
