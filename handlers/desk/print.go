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
	f, format := frame(r, "QR codes"), layout.SheetFormatOf(query.Get("format"))
	f.Scripts = []string{static.URL("qr.js")}
	if len(tables) == 0 {
		tables = make([]shop.Table, format.PerPage)
	}
	var codes []layout.QRCode
	area, all := query.Get("area"), !query.Has("area") || query.Get("area") == view.AllAreas
	for _, table := range tables {
		if !all && table.Area != area {
			continue
		}
		code, err := h.code(r, table)
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	return web.Render(w, r, http.StatusOK, view.PrintPage(f, business(r), format, codes))
}
