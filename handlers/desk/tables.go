package desk

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/qr"
	"forecourt/internal/shop/shop"
	"forecourt/static"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// ShowTables answers GET /desk/{client}/tables.
func (h *Handler) ShowTables(w http.ResponseWriter, r *http.Request) error {
	tables, err := h.Shops.Tables(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return err
	}
	codes, err := h.codes(r, append([]shop.Table{{}}, tables...))
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK,
		view.TablesPage(Frame(r, "Tables"), codes, shop.FormatTables(tables), shop.TableRows(tables), nil, saved(r)))
}

// SaveTables answers POST /desk/{client}/tables.
func (h *Handler) SaveTables(w http.ResponseWriter, r *http.Request) error {
	member, rows := session.MemberOf(r), listed(r.PostForm)
	if !r.PostForm.Has("seen") {
		return fault.New(fault.Invalid, "not the form of the tables") // or an empty one removes all
	}
	now, err := h.Shops.SetTables(r.Context(), member.Person, member.Shop.Code, strings.ReplaceAll(r.PostForm.Get("seen"), "\r\n", "\n"), rows)
	if problems, refused := errors.AsType[fault.Problems](err); refused {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.TablesPage(Frame(r, "Tables"), nil, now, rows, problems, false))
	}
	if err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "tables")+"?saved")
}

// listed returns the rows of the form.
func listed(form url.Values) (rows []shop.TableRow) {
	for n := "0"; form.Has("tables." + n); n = strconv.Itoa(len(rows)) {
		rows = append(rows, shop.TableRow{Area: form.Get("area." + n), Tables: form.Get("tables." + n)})
	}
	return rows
}

// codeWidth is the least width of the downloaded QR code of a table, in pixels.
const codeWidth = 1024

// ShowCode answers GET /desk/{client}/tables/code?t=4: the code of a table, or of orders to take away.
func (h *Handler) ShowCode(w http.ResponseWriter, r *http.Request) error {
	table, err := h.tableOf(r)
	if err != nil {
		return err
	}
	code, err := h.code(r, table)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.CodePage(Frame(r, code.Label), business(r), code))
}

// SendCode answers GET /desk/{client}/tables/code.svg?t=4 and code.png with a file.
func (h *Handler) SendCode(w http.ResponseWriter, r *http.Request) error {
	table, err := h.tableOf(r)
	if err != nil {
		return err
	}
	shopCode := session.MemberOf(r).Shop.Code
	look, err := h.look(r)
	if err != nil {
		return err
	}
	code, err := qr.NewBranded(h.site()+web.MenuURL(shopCode, table.Name, ""), look)
	if err != nil {
		return err
	}
	name := ui.QRFilename(shopCode, table.Name)
	if strings.HasSuffix(r.URL.Path, ".svg") {
		web.Download(w, "image/svg+xml", name+".svg", code.SVG(codeWidth))
		return nil
	}
	file, err := code.PNG(codeWidth)
	if err != nil {
		return err
	}
	web.Download(w, "image/png", name+".png", file)
	return nil
}

// look returns the colour and the logo of the shop of a request.
func (h *Handler) look(r *http.Request) (qr.Look, error) {
	one := session.MemberOf(r).Shop
	look := qr.Look{Ink: brand.Ink(one.Accent)}
	hash, uploaded := strings.CutPrefix(one.Logo, shop.PicturePath)
	var err error
	switch {
	case uploaded:
		look.Media = "image/jpeg"
		look.Logo, err = h.Shops.Picture(r.Context(), hash, true)
		if errors.Is(err, shop.ErrMissing) {
			return look, nil
		}
	case strings.HasSuffix(one.Logo, ".svg"): // the demo's
		look.Media = "image/svg+xml"
		if look.Logo, err = static.Read(one.Logo); err != nil {
			look.Logo, err = nil, nil
		}
	}
	return look, err
}

// tableOf returns the listed table that a request names, or the zero table if it names none.
func (h *Handler) tableOf(r *http.Request) (shop.Table, error) {
	name := r.URL.Query().Get("t")
	if name == "" {
		return shop.Table{}, nil
	}
	tables, err := h.Shops.Tables(r.Context(), session.MemberOf(r).Shop.Code)
	if err != nil {
		return shop.Table{}, err
	}
	i := slices.IndexFunc(tables, func(t shop.Table) bool { return t.Name == name })
	if i < 0 {
		return shop.Table{}, fault.New(fault.NotFound, "no such table")
	}
	return tables[i], nil
}

func (h *Handler) code(r *http.Request, table shop.Table) (ui.QRCode, error) {
	code, err := ui.QRCodeOf(ui.QRLabel(table.Name), h.site()+web.MenuURL(session.MemberOf(r).Shop.Code, table.Name, ""))
	code.Table, code.Area = table.Name, table.Area
	return code, err
}

func (h *Handler) codes(r *http.Request, tables []shop.Table) (codes []ui.QRCode, err error) {
	for _, table := range tables {
		code, err := h.code(r, table)
		if err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// site returns the public address of the site, without a path.
func (h *Handler) site() string { return h.Public.Scheme + "://" + h.Public.Host }

// business returns the shop of a request as its cards show it.
func business(r *http.Request) ui.QRBusiness {
	one := session.MemberOf(r).Shop
	return web.Card(one.Name, one.Accent, one.Logo)
}

// ShowPrint answers GET /desk/{client}/tables/print?format=a4&area=Terrace: a code for each table of an area or, without an area, for every
// table. A shop without tables gets the code of its menu, as often as fits on a page.
func (h *Handler) ShowPrint(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), r.URL.Query()
	tables, err := h.Shops.Tables(r.Context(), member.Shop.Code)
	if err != nil {
		return err
	}
	f, format := Frame(r, "QR codes"), ui.SheetFormatOf(query.Get("format"))
	f.Scripts = []string{static.URL("qr.js")}
	if len(tables) == 0 {
		tables = make([]shop.Table, format.PerPage)
	}
	if area := query.Get("area"); query.Has("area") && area != view.AllAreas {
		tables = slices.DeleteFunc(tables, func(t shop.Table) bool { return t.Area != area })
	}
	codes, err := h.codes(r, tables)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.PrintPage(f, business(r), format, codes))
}
