package web

import (
	"bytes"
	"net/http"

	"github.com/a-h/templ"

	"forecourt/views/layout"
)

// Prepared is a page kept ready to send. It is rendered and compressed once, for one encoding.
type Prepared struct {
	body     []byte
	encoding string
	styles   layout.PageStyles
}

// Prepare renders a page that is the same for everybody who asks for it in the Encoding of r.
func Prepare(r *http.Request, page templ.Component) (*Prepared, error) {
	var body bytes.Buffer
	if err := page.Render(r.Context(), &body); err != nil {
		return nil, err
	}
	p := &Prepared{encoding: Encoding(r), styles: layout.Of(r.Context()).Styles.Rendered()}
	encoders := pools[p.encoding]
	if p.encoding == "br" {
		encoders = lastingly
	}
	p.body = compress(nil, p.encoding, encoders, body.Bytes())
	p.body = bytes.Clone(p.body) // without the room to grow
	return p, nil
}

// Size is how many bytes the page takes.
func (p *Prepared) Size() int { return len(p.body) }

// Send answers with the page and status 200.
func (p *Prepared) Send(w http.ResponseWriter, r *http.Request) error {
	w.Header().Add("Vary", "HX-Request")
	holdStyles(w, p.styles)
	return write(w, r, http.StatusOK, p.encoding, p.body)
}
