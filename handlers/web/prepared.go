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
	frame  string   // the stylesheet of its frame, if the page holds its text
	styles []string // hashes of the styles that the page holds
	mu     sync.Mutex
	done   map[string][]byte
}

// Prepare renders a page that is the same for everybody who asks.
func Prepare(ctx context.Context, page templ.Component) (*Prepared, error) {
	var body bytes.Buffer
	if err := page.Render(ctx, &body); err != nil {
		return nil, err
	}
	styles := layout.Of(ctx).Styles
	return &Prepared{plain: body.Bytes(), frame: styles.Frame(), styles: styles.Hashes(), done: map[string][]byte{}}, nil
}

// Send answers with the page and status 200.
func (p *Prepared) Send(w http.ResponseWriter, r *http.Request) error {
	encoding := encodingFor(r)
	w.Header().Add("Vary", "HX-Request")
	holdStyles(w, r, p.frame, p.styles)
	return write(w, r, http.StatusOK, encoding, p.encoded(encoding))
}

func (p *Prepared) encoded(encoding string) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	body, ok := p.done[encoding]
	if !ok {
		body = Compress(encoding, p.plain)
		p.done[encoding] = body
	}
	return body
}
