package demo

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/qr"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/layout"
	"forecourt/views/ui"
)

// qrWidth is the least width of a downloaded QR code of the demo, in pixels.
const qrWidth = 1024

// businesses to choose from, the default first (QR-01, QR-09).
var businesses = []string{"panezski", "moollar", "sabona", "tahbella"}

// QR serves the demo of QR codes that lead to a menu.
type QR struct {
	pool   *pgxpool.Pool
	public *url.URL
}

// NewQR reads the businesses' names through pool and leads guests to menus below a public address.
func NewQR(pool *pgxpool.Pool, public *url.URL) *QR {
	return &QR{pool: pool, public: public}
}

// Show answers GET /demo/qr?client=panezski&table=1; htmx asks for the badge alone.
func (q *QR) Show(w http.ResponseWriter, r *http.Request) error {
	choice := readChoice(r.URL.Query())
	return q.render(w, r, choice, choice.checkBadge())
}

// Print answers GET /demo/qr/print?client=panezski&tables=12 with a code for each table.
func (q *QR) Print(w http.ResponseWriter, r *http.Request) error {
	choice := readChoice(r.URL.Query())
	if problems := choice.checkSheet(); len(problems) > 0 {
		return q.render(w, r, choice, problems)
	}
	shops, err := q.shops(r.Context())
	if err != nil {
		return err
	}
	page := view.QRSheet{
		Frame: layout.Site{Title: "QR codes for tables", Scripts: []string{static.URL("qr.js")}},
		Shop:  shops[choice.client], Back: choice.path("/demo/qr"),
	}
	for _, table := range choice.sheet() {
		code, err := q.code(choice.client, table)
		if err != nil {
			return err
		}
		page.Codes = append(page.Codes, code)
	}
	// Codes hardly shrink, so the rest of the page is packed as well as one that is kept.
	sheet, err := web.Prepare(r, view.QRSheetPage(page))
	if err != nil {
		return err
	}
	return sheet.Send(w, r)
}

// SVG answers GET /demo/qr/{client}.svg?table=1 with a file.
func (q *QR) SVG(w http.ResponseWriter, r *http.Request) error {
	return q.download(w, r, "image/svg+xml", "svg", func(c qr.Code) ([]byte, error) { return c.SVG(qrWidth), nil })
}

// PNG answers GET /demo/qr/{client}.png?table=1 with a file.
func (q *QR) PNG(w http.ResponseWriter, r *http.Request) error {
	return q.download(w, r, "image/png", "png", func(c qr.Code) ([]byte, error) { return c.PNG(qrWidth) })
}

func (q *QR) download(w http.ResponseWriter, r *http.Request, media, suffix string, draw func(qr.Code) ([]byte, error)) error {
	choice := readChoice(url.Values{"client": {chi.URLParam(r, "client")}, "table": {r.URL.Query().Get("table")}})
	if len(choice.checkBadge()) > 0 {
		return fault.New(fault.NotFound, "no such code")
	}
	code, err := qr.New(q.address(choice.client, choice.table))
	if err != nil {
		return err
	}
	file, err := draw(code)
	if err != nil {
		return err
	}
	web.Download(w, media, layout.QRFilename(choice.client, choice.table)+"."+suffix, file)
	return nil
}

func (q *QR) render(w http.ResponseWriter, r *http.Request, choice choice, problems problems) error {
	shops, err := q.shops(r.Context())
	if err != nil {
		return err
	}
	m := view.QR{
		Page: view.Page{Path: "/demo/qr", Site: layout.Site{
			Title: "QR ordering", Scripts: []string{static.URL("qr.js")},
			Description: "QR codes that lead guests at a table to a menu, to download or print.",
		}},
		Client: ui.Choice{Field: view.QRClient(problems["client"])}, Table: view.QRTable(choice.table, maxTableLen, problems["table"]),
		Tables: view.QRTables(choice.tables, maxTables, problems["tables"]),
	}
	for _, code := range businesses {
		m.Client.Options = append(m.Client.Options, ui.Option{Value: code, Label: shops[code].Name, Chosen: code == choice.client})
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	if len(choice.checkBadge()) == 0 {
		code, err := q.code(choice.client, choice.table)
		if err != nil {
			return err
		}
		m.Badge = &view.Badge{Shop: shops[choice.client], Code: code, SVG: choice.file("svg"), PNG: choice.file("png")}
	}
	return web.Render(w, r, status, view.QRPage(m), view.QRBadge)
}

func (q *QR) code(shop, table string) (layout.QRCode, error) {
	return layout.QRCodeOf(layout.QRLabel(table), q.address(shop, table))
}

// address returns the address of the menu that a code leads to (QR-07, QR-08).
func (q *QR) address(shop, table string) string {
	return q.public.Scheme + "://" + q.public.Host + web.MenuURL(shop, table, "")
}

// shops returns the businesses by code. A business that the database does not have is shown by its code (QR-03).
func (q *QR) shops(ctx context.Context) (map[string]view.Shop, error) {
	clients, err := db.New(q.pool).ShopListDemo(ctx)
	if err != nil {
		return nil, err
	}
	shops := map[string]view.Shop{}
	for _, code := range businesses {
		shops[code] = view.Shop{Code: code, Name: code, Card: web.Card(code, "", "")}
	}
	for _, shop := range clients {
		if slices.Contains(businesses, shop.Code) {
			shops[shop.Code] = view.Shop{Code: shop.Code, Name: shop.Name, Card: web.Card(shop.Name, shop.Accent, shop.Logo)}
		}
	}
	return shops, nil
}
