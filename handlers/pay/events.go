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
	f := &feed{h: h, r: r, changed: changed}
	var err error
	apart(func() { err = f.read() })
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead || !f.on {
		w.Header().Set("Cache-Control", "no-store")
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
	if f.stream, err = web.OpenStream(w); err != nil {
		return nil // the reader is gone already
	}
	f.run()
	return nil
}

// apart does work on a goroutine of its own. Reading and drawing a page take a deep stack, which a stream would keep for as
// long as it is open.
func apart(work func()) {
	var failed any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { failed = recover() }()
		work()
	}()
	<-done
	if failed != nil {
		panic(failed)
	}
}

// feed is one open stream.
type feed struct {
	h       *Handler
	r       *http.Request
	stream  *web.Stream
	changed <-chan struct{}
	part    []byte            // what is to be sent; nil when the page has not changed
	sent    [sha256.Size]byte // of what was drawn last
	pause   time.Duration     // when to look unasked; 0 never
	bank    string            // client whose customer may have answered the bank on another device; empty for none
	on      bool              // whether there is anything more to follow
}

// run sends what was read, then looks again and again until there is nothing to follow or the reader is gone.
func (f *feed) run() {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	gone := false
	for next := f.send; ; next = f.look {
		apart(func() { gone = !next() })
		if gone || !f.on || !f.rest(beat.C) {
			return
		}
	}
}

// rest waits until there is a reason to look. It returns false when the stream is over.
func (f *feed) rest(beat <-chan time.Time) bool {
	var unasked <-chan time.Time
	if f.pause > 0 {
		unasked = time.After(f.pause)
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

// look reads the transaction and sends what is new of it; false when the reader is gone. A database that does not answer is
// asked again.
func (f *feed) look() bool {
	select {
	case f.h.looks <- struct{}{}:
	case <-f.r.Context().Done():
		return false
	}
	err := func() error {
		defer func() { <-f.h.looks }()
		return f.read()
	}()
	if err != nil {
		f.pause, f.on = failedLook, !errors.Is(err, payment.ErrMissing)
		return true
	}
	return f.send()
}

// send sends what is new; false when the reader is gone.
func (f *feed) send() bool {
	part := f.part
	f.part = nil
	if part != nil && f.stream.Send(part) != nil {
		return false
	}
	if f.bank != "" {
		f.h.payments.Returned(f.r.Context(), f.bank, chi.URLParam(f.r, "id")) // what comes of it is announced
	}
	return true
}

// read reads the transaction and draws what its page shows.
func (f *feed) read() error {
	row, lines, err := f.h.transaction(f.r)
	if err != nil {
		return err
	}
	page := f.h.model(row, lines)
	page.Card = emptyForm(row, rand.Text())
	var part bytes.Buffer
	if err := templ.RenderFragments(f.r.Context(), &part, view.PaymentPage(page), view.Payment); err != nil {
		return err
	}
	if sum := sha256.Sum256(part.Bytes()); sum != f.sent {
		f.part, f.sent = part.Bytes(), sum
	}
	f.pause, f.on = 0, page.EventsURL != ""
	if page.State == view.Waiting && page.Contact == "" {
		f.pause = waitingLook
	}
	f.bank = ""
	if row.AttemptState == "redirected" && page.State == view.Waiting {
		f.bank = row.Client.Code
	}
	return nil
}
