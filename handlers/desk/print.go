package desk

import (
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/shop/shop"
	"forecourt/static"
	view "forecourt/views/desk"
	"forecourt/views/layout"
)

// ShowPrint answers GET /desk/{client}/tables/print?format=a4&area=Terrace: a code for each table of an area or, without an area, for every
// table. A shop without tables gets the code of its menu, as often as fits on a page.
func (h *Handler) ShowPrint(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), r.URL.Query()
	tables, err := h.Shops.Tables(r.Context(), member.Shop.Code)
	if err != nil {
		return err
	}
	m := view.Print{
		Frame: frame(r, "QR codes"), Back: address(r, "tables"), Business: business(r), Format: layout.SheetFormatOf(query.Get("format")),
	}
	m.Frame.Scripts = []string{static.URL("qr.js")}
	if len(tables) == 0 {
		tables = make([]shop.Table, m.Format.PerPage)
	}
	area, all := query.Get("area"), !query.Has("area") || query.Get("area") == view.AllAreas
	for _, table := range tables {
		if !all && table.Area != area {
			continue
		}
		code, err := h.code(r, table)
		if err != nil {
			return err
		}
		m.Codes = append(m.Codes, code)
	}
	return web.Render(w, r, http.StatusOK, view.PrintPage(m))
}
