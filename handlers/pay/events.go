package pay

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/pay/payment"
	"forecourt/internal/run/throttle"
	view "forecourt/views/pay"
)

const (
	// maxLooks limits how many streams read the database at once, so that most of its connections are left for payments.
	maxLooks = 4
	// waitingLook is how often a stream looks without an event while a payment is open. An event may be lost with the process that was to
	// announce it, and the page has to show the end within 2 s all the same.
	waitingLook = 1500 * time.Millisecond
	// failedLook is how long a stream that could not look waits before it tries again.
	failedLook = 2 * time.Second
)

// ShowEvents answers GET /pos/{client}/{id}/events with what the page shows now, and again whenever that changes, until there is nothing
// more to follow. If there is nothing to follow from the start it answers 204, upon which a browser does not reconnect.
func (h *Handler) ShowEvents(w http.ResponseWriter, r *http.Request) error {
	f := &feed{h: h, shop: chi.URLParam(r, "client"), id: chi.URLParam(r, "id"), by: h.reader(r)}
	// Subscribe before the first look, or a change in between would be missed.
	changed, cancel := h.Live.Subscribe(f.id)
	defer cancel()
	err := f.read(r.Context())
	if errors.Is(err, payment.ErrMissing) {
		return h.missing(w, r)
	}
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead || !f.on {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	release, ok := h.Streams.Take(throttle.From(h.Proxies.Client(r)))
	if !ok {
		w.Header().Set("Retry-After", "15")
		http.Error(w, "Too many pages are open. This one asks from time to time instead.", http.StatusServiceUnavailable)
		return nil
	}
	defer release()
	if f.stream, err = web.OpenStream(w, r); err == nil { // otherwise the reader has gone already
		f.run(r.Context(), changed)
	}
	return nil
}

// feed is one open stream.
type feed struct {
	h      *Handler
	stream *web.Stream
	shop   string // its code, as the address has it
	id     string // of the transaction
	by     reader
	part   []byte            // what to send; nil if the page has not changed
	sent   [sha256.Size]byte // of the last drawn part
	pause  time.Duration     // when to look without an event; 0 means never
	bank   bool              // whether the customer may have answered the bank on another device
	on     bool              // whether there is anything more to follow
}

// run sends the page, then its changes until there is nothing to follow or the reader is gone.
func (f *feed) run(ctx context.Context, changed <-chan struct{}) {
	beat := time.NewTicker(web.BeatEvery)
	defer beat.Stop()
	for on := f.send(ctx); on && f.on; on = f.look(ctx) {
		if !f.rest(ctx, changed, beat.C) {
			return
		}
	}
}

// rest waits until there is a reason to look. It returns false when the stream is over.
func (f *feed) rest(ctx context.Context, changed <-chan struct{}, beat <-chan time.Time) bool {
	var look <-chan time.Time // nil never fires
	if f.pause > 0 {
		look = time.After(f.pause)
	}
	for {
		select {
		case <-changed:
			return true
		case <-look:
			return true
		case <-beat:
			if f.stream.Beat() != nil {
				return false
			}
		case <-f.h.Live.Closed():
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// look reads the transaction and sends what has changed. It returns false if the reader is gone. If the database does not answer, it tries
// again later.
func (f *feed) look(ctx context.Context) bool {
	select {
	case f.h.looks <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	err := func() error {
		defer func() { <-f.h.looks }()
		return f.read(ctx)
	}()
	if err != nil {
		f.pause, f.on = failedLook, !errors.Is(err, payment.ErrMissing)
		return true
	}
	return f.send(ctx)
}

// send sends what has changed. It returns false if the reader is gone.
func (f *feed) send(ctx context.Context) bool {
	if f.part != nil && f.stream.Send(f.part) != nil {
		return false
	}
	f.part = nil
	if f.bank {
		f.h.Payments.Returned(ctx, f.shop, f.id) // its outcome is announced
	}
	return true
}

// read reads the transaction and draws what its page shows.
func (f *feed) read(ctx context.Context) error {
	t, err := f.h.Payments.Find(ctx, f.shop, f.id)
	if err != nil {
		return err
	}
	page, err := f.h.page(ctx, t, f.by)
	if err != nil {
		return err
	}
	page.Card = emptyForm(t, rand.Text())
	var part bytes.Buffer
	if err := templ.RenderFragments(ctx, &part, view.PaymentPage(page), view.Payment); err != nil {
		return err
	}
	if sum := sha256.Sum256(part.Bytes()); sum != f.sent {
		f.part, f.sent = part.Bytes(), sum
	}
	f.pause, f.on = 0, page.EventsURL != ""
	if page.State == view.Waiting && !page.Manual {
		f.pause = waitingLook
	}
	f.bank = t.AttemptState == state.AttemptRedirected && page.State == view.Waiting
	return nil
}
