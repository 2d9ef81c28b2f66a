package web

import (
	"bytes"
	"io"
	"net/http"

	"github.com/a-h/templ"
	"github.com/klauspost/compress/gzip"

	"forecourt/views/ui"
)

// Prepared is a page kept ready to send. It is rendered and packed once.
type Prepared struct {
	packed []byte
	styles ui.PageStyles
}

// Prepare renders a page that is the same for everybody who asks for it.
func Prepare(r *http.Request, page templ.Component) (*Prepared, error) {
	var body, packed bytes.Buffer
	if err := page.Render(r.Context(), &body); err != nil {
		return nil, err
	}
	pack(&packed, body.Bytes())
	return &Prepared{bytes.Clone(packed.Bytes()), ui.Of(r.Context()).Styles.Rendered()}, nil
}

// Size is how many bytes the page takes.
func (p *Prepared) Size() int { return len(p.packed) }

// Send answers with the page and status 200.
func (p *Prepared) Send(w http.ResponseWriter, r *http.Request) error {
	w.Header().Add("Vary", "HX-Request")
	holdStyles(w, p.styles)
	if takesGzip(r) {
		return write(w, r, http.StatusOK, "gzip", p.packed)
	}
	text, err := gzip.NewReader(bytes.NewReader(p.packed))
	if err != nil {
		return err
	}
	body, err := io.ReadAll(text)
	if err != nil {
		return err
	}
	return write(w, r, http.StatusOK, "", body)
}
