package demo

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/qr"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/order"
	"forecourt/static"
	view "forecourt/views/demo"
	"forecourt/views/ui"
)

// qrWidth is the least width of a downloaded QR code of the demo, in pixels.
const qrWidth = 1024

// maxTables is how many QR codes one sheet has.
const maxTables = 200

// demoBusinesses are the businesses to choose from in a demo, the default first (QR-01, QR-09).
var demoBusinesses = []string{"panezski", "moollar", "sabona", "tahbella"}

// QR serves the demo of QR codes that lead to a menu below the public address: that of a demo business or, outside demo mode, of a shop of
// whoever is signed in.
type QR struct {
	Pool   *pgxpool.Pool
	Public *url.URL
	Demo   bool
}

// businesses are the codes to choose from, the default first, and what their cards show.
type businesses struct {
	codes []string
	cards map[string]ui.QRBusiness
}

// businesses reads the businesses that the caller chooses from.
func (q *QR) businesses(r *http.Request) (b businesses, err error) {
	b.cards = map[string]ui.QRBusiness{}
	queries := db.New(q.Pool)
	if !q.Demo {
		person, _ := session.Signed(r)
		mine, err := queries.ShopListByAccount(r.Context(), person.ID)
		for _, one := range mine {
			b.codes, b.cards[one.Code] = append(b.codes, one.Code), web.Card(one.Name, one.Accent, one.Logo)
		}
		return b, err
	}
	b.codes = demoBusinesses
	for _, code := range b.codes {
		b.cards[code] = web.Card(code, "", "") // a business that the database does not have is shown by its code (QR-03)
	}
	shops, err := queries.ShopListDemo(r.Context())
	for _, one := range shops {
		b.cards[one.Code] = web.Card(one.Name, one.Accent, one.Logo)
	}
	return b, err
}

// choice reads the choice of an address. A missing field has its default; a blank table means none.
func (b businesses) choice(query url.Values) view.QRChoice {
	field := func(name, unset string) string {
		if !query.Has(name) {
			return unset
		}
		return query.Get(name)
	}
	first := ""
	if len(b.codes) > 0 {
		first = b.codes[0]
	}
	return view.QRChoice{Client: field("client", first), Table: field("table", "1"), Tables: field("tables", "12")}
}

// check returns what is wrong with the choice of one code, or of a sheet of them.
func (b businesses) check(c view.QRChoice, sheet bool) fault.Problems {
	problems := fault.Problems{}
	if !slices.Contains(b.codes, c.Client) {
		problems["client"] = "Choose one of the businesses"
	}
	if !sheet && !printable.Line(c.Table, order.MaxName) {
		problems["table"] = "Use at most 64 letters, digits or signs for the table"
	}
	if n, err := typed.Count(c.Tables); sheet && (err != nil || n < 1 || n > maxTables) {
		problems["tables"] = "Enter how many tables there are, from 1 to 200"
	}
	return problems
}

// Show shows the code of one table; htmx asks for the badge alone.
func (q *QR) Show(w http.ResponseWriter, r *http.Request) error {
	b, err := q.businesses(r)
	if err != nil {
		return err
	}
	choice := b.choice(web.Query(r))
	problems := b.check(choice, false)
	if len(b.codes) == 0 && choice.Client == "" {
		delete(problems, "client") // the page says how to get a business
	}
	return q.render(w, r, b, choice, problems)
}

// Print shows a sheet with a code for each table.
func (q *QR) Print(w http.ResponseWriter, r *http.Request) error {
	b, err := q.businesses(r)
	if err != nil {
		return err
	}
	choice := b.choice(web.Query(r))
	if problems := b.check(choice, true); len(problems) > 0 {
		return q.render(w, r, b, choice, problems)
	}
	tables, _ := typed.Count(choice.Tables)
	codes := make([]ui.QRCode, tables)
	for i := range codes {
		if codes[i], err = q.code(choice.Client, strconv.Itoa(i+1)); err != nil {
			return err
		}
	}
	frame := ui.Site{
		Title: "QR codes for tables", Description: "A sheet of QR codes to print and cut out, one for each table.",
		Scripts: []string{static.URL("qr.js")},
	}
	// Codes hardly shrink, so the rest of the page is packed as well as one that is kept.
	sheet, err := web.Prepare(r, view.QRSheetPage(frame, b.cards[choice.Client], choice.Path(), codes))
	if err != nil {
		return err
	}
	return sheet.Send(w, r)
}

// SVG answers with a file.
func (q *QR) SVG(w http.ResponseWriter, r *http.Request) error {
	return q.download(w, r, "image/svg+xml", "svg", func(c qr.Code) ([]byte, error) { return c.SVG(qrWidth), nil })
}

// PNG answers with a file.
func (q *QR) PNG(w http.ResponseWriter, r *http.Request) error {
	return q.download(w, r, "image/png", "png", func(c qr.Code) ([]byte, error) { return c.PNG(qrWidth) })
}

func (q *QR) download(w http.ResponseWriter, r *http.Request, media, suffix string, draw func(qr.Code) ([]byte, error)) error {
	b, err := q.businesses(r)
	if err != nil {
		return err
	}
	choice := b.choice(url.Values{"client": {chi.URLParam(r, "client")}, "table": {web.Query(r).Get("table")}})
	if len(b.check(choice, false)) > 0 {
		return fault.New(fault.NotFound, "no such code")
	}
	code, err := qr.New(q.address(choice.Client, choice.Table))
	if err != nil {
		return err
	}
	file, err := draw(code)
	if err != nil {
		return err
	}
	web.Download(w, media, ui.QRFilename(choice.Client, choice.Table)+"."+suffix, file)
	return nil
}

func (q *QR) render(w http.ResponseWriter, r *http.Request, b businesses, choice view.QRChoice, problems fault.Problems) error {
	_, signed := session.Signed(r)
	m := view.QR{
		Page:     page("QR ordering", "QR codes that lead guests at a table to a menu, to download or print.", "/demo/qr", "qr.js"),
		QRChoice: choice, Problems: problems, Businesses: b.codes, Cards: b.cards, Signed: signed,
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	if len(b.check(choice, false)) == 0 {
		code, err := q.code(choice.Client, choice.Table)
		if err != nil {
			return err
		}
		m.Code = &code
	}
	return web.Render(w, r, status, view.QRPage(m), view.QRBadge)
}

func (q *QR) code(shop, table string) (ui.QRCode, error) {
	return ui.QRCodeOf(ui.QRLabel(table), q.address(shop, table))
}

// address returns the address of the menu that a code leads to (QR-07, QR-08).
func (q *QR) address(shop, table string) string {
	return q.Public.Scheme + "://" + q.Public.Host + web.MenuURL(shop, table, "")
}
