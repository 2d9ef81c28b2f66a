package web

import (
	"bytes"
	"context"
	"net/http"
	"sync"

	"github.com/a-h/templ"

	"forecourt/views/layout"
)

// Prepared is a page kept ready to send: rendered once, compressed once for each encoding that is asked for.
type Prepared struct {
	plain  []byte
	styles layout.HeldStyles
	mu     sync.Mutex
	done   map[string][]byte
}

// Prepare renders a page that is the same for everybody who asks.
func Prepare(ctx context.Context, page templ.Component) (*Prepared, error) {
	var body bytes.Buffer
	if err := page.Render(ctx, &body); err != nil {
		return nil, err
	}
	return &Prepared{plain: body.Bytes(), styles: layout.Of(ctx).Styles.Rendered(), done: map[string][]byte{}}, nil
}

// Send answers with the page and status 200.
func (p *Prepared) Send(w http.ResponseWriter, r *http.Request) error {
	encoding := encodingFor(r)
	w.Header().Add("Vary", "HX-Request")
	holdStyles(w, p.styles)
	return write(w, r, http.StatusOK, encoding, p.encoded(encoding))
}

func (p *Prepared) encoded(encoding string) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	body, ok := p.done[encoding]
	if !ok {
		body = Compress(nil, encoding, p.plain)
		p.done[encoding] = body
	}
	return body
}
