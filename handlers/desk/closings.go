package desk

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
	"forecourt/views/receipt"
)

// ShowClosings answers GET /desk/{client}/closings?before=NUMBER&mode=test: the closings of a shop, newest first.
func (h *Handler) ShowClosings(w http.ResponseWriter, r *http.Request) error {
	one, test := session.MemberOf(r).Shop, testPage(r)
	list, next, err := h.Books.Closings(r.Context(), one, test, r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	f := Frame(r, "End of day")
	return web.Render(w, r, http.StatusOK, view.ClosingsPage(view.Closings{
		Frame: f, List: list, Pages: pages(r, f.In("closings", test), "before", next), Test: test,
		May: session.MemberOf(r).May(shop.Close), Day: one.TradingDay(time.Now()),
	}))
}

// CloseDay answers POST /desk/{client}/closings: it shows what closing the day in a mode would count (do=preview), or closes it (do=close).
func (h *Handler) CloseDay(w http.ResponseWriter, r *http.Request) error {
	switch r.PostForm.Get("do") {
	case "preview":
		return h.previewClosing(w, r, http.StatusOK, "")
	case "close":
		return h.closeDay(w, r)
	}
	return fault.New(fault.Invalid, "unknown button")
}

func (h *Handler) previewClosing(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	one := session.MemberOf(r).Shop
	c, closed, err := h.Books.Upcoming(r.Context(), one, testBooks(one, r.PostForm.Get("mode")))
	if err != nil {
		return err
	}
	if closed {
		return web.Redirect(w, r, address(r, "closings/"+view.ClosingID(c))+"?done=already")
	}
	cash := view.CashField(one.Currency, r.PostForm.Get("cash"), problem)
	return web.Render(w, r, status, view.ClosingPreview(Frame(r, "Close the day"), c, cash))
}

func (h *Handler) closeDay(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	var cash *int64
	if counted := strings.TrimSpace(r.PostForm.Get("cash")); counted != "" {
		minor, err := typed.Amount(counted, member.Shop.Currency)
		if err != nil {
			return h.previewClosing(w, r, http.StatusUnprocessableEntity, view.BadAmount)
		}
		cash = &minor
	}
	c, made, err := h.Books.Close(r.Context(), member.Person, member.Shop, testBooks(member.Shop, r.PostForm.Get("mode")), cash)
	if err != nil {
		return err
	}
	done := "already"
	if made {
		done = "closed"
	}
	return web.Redirect(w, r, address(r, "closings/"+view.ClosingID(c))+"?done="+done)
}

// ShowClosing answers GET /desk/{client}/closings/{no}.
func (h *Handler) ShowClosing(w http.ResponseWriter, r *http.Request) error {
	c, err := h.closing(r)
	if err != nil {
		return err
	}
	counted, err := h.Books.Recount(r.Context(), c)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.ClosingPage(
		Frame(r, "End of day no. "+c.Name()), c, receipt.CheckPath+"?code="+books.Signed(c).Code(),
		reflect.DeepEqual(counted, c.Totals), r.URL.Query().Get("done"),
	))
}

// SendClosing answers GET /desk/{client}/closings/{no}/closing.json with the signed file.
func (h *Handler) SendClosing(w http.ResponseWriter, r *http.Request) error {
	c, err := h.closing(r)
	if err != nil {
		return err
	}
	file, err := c.JSON()
	if err != nil {
		return err
	}
	web.Download(w, "application/json", closingName(r, c)+".json", file)
	return nil
}

// PrintClosing answers GET /desk/{client}/closings/{no}/closing.pdf.
func (h *Handler) PrintClosing(w http.ResponseWriter, r *http.Request) error {
	c, err := h.closing(r)
	if err != nil {
		return err
	}
	one := session.MemberOf(r).Shop
	file, err := view.ClosingPDF(c, one.Code, one.Accent, h.Public.JoinPath(receipt.CheckPath).String())
	if err != nil {
		return err
	}
	web.Download(w, "application/pdf", closingName(r, c)+".pdf", file)
	return nil
}

func closingName(r *http.Request, c books.Closing) string {
	return session.MemberOf(r).Shop.Code + "-closing-" + view.ClosingID(c)
}

// closing returns the closing that an address names: "3", or "test-3" in test mode.
func (h *Handler) closing(r *http.Request) (books.Closing, error) {
	number, test := strings.CutPrefix(chi.URLParam(r, "no"), "test-")
	no, err := strconv.Atoi(number)
	if err != nil || strconv.Itoa(no) != number {
		return books.Closing{}, books.ErrNoBook
	}
	return h.Books.Closing(r.Context(), session.MemberOf(r).Shop, test, no)
}
