package desk

import (
	"net/http"

	"forecourt/handlers/web"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/card"
	view "forecourt/views/desk"
)

// ShowLook answers GET /desk/look with a small sample page in a colour.
func ShowLook(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, view.LookPart(lookOf(r.URL.Query().Get("accent"), r.URL.Query().Get("name"))))
}

// lookOf returns a small sample page in a colour. Its Accent is empty if the colour is not valid.
func lookOf(accent, name string) view.Look {
	ground, text, err := brand.Solid(accent)
	if err != nil {
		return view.Look{}
	}
	light, dark, err := brand.Bands(accent)
	if err != nil {
		return view.Look{}
	}
	if name == "" || card.HoldsCard(name) {
		name = "Your business"
	}
	if runes := []rune(name); len(runes) > 18 {
		name = string(runes[:17]) + "…"
	}
	return view.Look{Name: name, Accent: accent, Ground: ground, Text: text, Band: light, DarkBand: dark, Changed: !brand.Readable(accent)}
}
