package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"reflect"
	"sync"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/site/legal"
	view "forecourt/views/site"
)

// textLimit is the longest document that is drawn, in bytes.
const textLimit = 1 << 20

// document returns the document that an operator stored under a name (forecourt doc put), or else the program's own.
func (h *Handler) document(r *http.Request, id string, own legal.Document) legal.Document {
	text, err := h.texts.Read(r.Context(), id, textLimit)
	if err != nil {
		if fault.CodeOf(err) != fault.NotFound {
			web.Log(r, h.Log).ErrorContext(r.Context(), "a stored document cannot be shown", "document", id, "error", err)
		}
		return own
	}
	return legal.Parse(text, own)
}

// leadTo redirects to a document that the provider hosts elsewhere.
func leadTo(w http.ResponseWriter, r *http.Request, address string) error {
	http.Redirect(w, r, address, http.StatusFound)
	return nil
}

// ShowPrivacy answers GET /privacy.
func (h *Handler) ShowPrivacy(w http.ResponseWriter, r *http.Request) error {
	if kept := h.Provider.PrivacyURL; kept != legal.PrivacyPath {
		return leadTo(w, r, kept)
	}
	return web.Render(w, r, http.StatusOK, view.LegalPage(h.document(r, "privacy", legal.Privacy(h.Provider))))
}

// ShowTerms answers GET /terms.
func (h *Handler) ShowTerms(w http.ResponseWriter, r *http.Request) error {
	if kept := h.Provider.TermsURL; kept != legal.TermsPath {
		return leadTo(w, r, kept)
	}
	return web.Render(w, r, http.StatusOK, view.LegalPage(h.document(r, "terms", legal.Terms(h.Provider, h.fees(r.Context()).String()))))
}

// SendGuide answers GET /guide.pdf.
func (h *Handler) SendGuide(w http.ResponseWriter, r *http.Request) error {
	if kept := h.Provider.GuideURL; kept != legal.GuidePath {
		return leadTo(w, r, kept)
	}
	g, err := h.guides.draw(h.document(r, "guide", legal.Guide(h.Provider, h.fees(r.Context()).String())), h.Provider)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/pdf")
	header.Set("Content-Disposition", `inline; filename="financial-services-guide.pdf"`)
	header.Set("ETag", g.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(g.file))
	return nil
}

// guide is the financial services guide as a file.
type guide struct {
	of   legal.Document
	file []byte
	tag  string // ETag, which changes with the file
}

// guides keeps the last guide that was drawn.
type guides struct {
	mu   sync.Mutex
	last *guide
}

// draw draws a document, unless it is the last one that was drawn.
func (g *guides) draw(d legal.Document, p legal.Provider) (*guide, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last != nil && reflect.DeepEqual(g.last.of, d) {
		return g.last, nil
	}
	file, err := legal.PDF(d, p)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(file)
	g.last = &guide{of: d, file: file, tag: `"` + hex.EncodeToString(sum[:8]) + `"`}
	return g.last, nil
}
