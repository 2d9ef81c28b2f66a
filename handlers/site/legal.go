package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"

	"forecourt/internal/legal"
	"forecourt/internal/provider"
	"forecourt/internal/web"
	"forecourt/static"
	"forecourt/views/layout"
	view "forecourt/views/site"
)

// showPrivacy answers GET /privacy.
func (h *Handler) showPrivacy(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.LegalPage(h.legalModel(legal.Privacy(h.provider))))
}

// showTerms answers GET /terms.
func (h *Handler) showTerms(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.LegalPage(h.legalModel(legal.Terms(h.provider))))
}

// sendGuide answers GET /guide.pdf.
func (h *Handler) sendGuide(w http.ResponseWriter, r *http.Request) error {
	g, err := h.guide()
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/pdf")
	header.Set("Content-Disposition", `inline; filename="financial-services-guide.pdf"`)
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", g.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(g.file))
	return nil
}

// guide is the financial services guide as a file.
type guide struct {
	file []byte
	tag  string // changes with the file
}

// drawGuide draws the guide of p when it is first asked for.
func drawGuide(p provider.Provider) func() (guide, error) {
	return sync.OnceValues(func() (guide, error) {
		file, err := legal.PDF(legal.Guide(p), p)
		if err != nil {
			return guide{}, err
		}
		sum := sha256.Sum256(file)
		return guide{file: file, tag: `"` + hex.EncodeToString(sum[:8]) + `"`}, nil
	})
}

func (h *Handler) legalModel(d legal.Document) view.Legal {
	m := view.Legal{
		Frame: layout.Site{Title: d.Title, Description: d.Summary, Styles: []string{static.URL("legal.css")}},
		Title: d.Title, Summary: d.Summary, Year: h.provider.Year,
	}
	for _, s := range d.Sections {
		section := view.Section{ID: s.ID, Title: s.Title}
		for _, b := range s.Blocks {
			block := view.Block{Text: b.Text, List: b.List}
			for _, f := range b.Facts {
				block.Facts = append(block.Facts, view.Fact(f))
			}
			section.Blocks = append(section.Blocks, block)
		}
		m.Sections = append(m.Sections, section)
	}
	return m
}
