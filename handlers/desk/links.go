package desk

import (
	"encoding/csv"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/qr"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// ShowLinks answers GET /desk/{client}/links?show=open&find=INV&before=CURSOR: the pay links of a shop, newest first.
func (h *Handler) ShowLinks(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), web.Query(r)
	m := view.Links{Frame: Frame(r, "Pay links"), May: member.May(shop.Edit), Filter: paylink.Filter{
		Show: query.Get("show"), Find: query.Get("find"), Batch: query.Get("batch"),
	}}
	if !slices.Contains(view.LinkFilters, m.Show) {
		m.Show = paylink.AllLinks
	}
	if hidden(member) && m.Find == "" { // a list of others would show what was taken
		m.Show = paylink.OpenLinks
	}
	list, next, err := h.Links.List(r.Context(), member.Shop, m.Filter, query.Get("before"))
	if err != nil {
		return err
	}
	m.List, m.Pages = list, pages(r, m.Address(m.Show), "before", next)
	return web.Render(w, r, http.StatusOK, view.LinksPage(m))
}

// SendLinkBatch answers GET /desk/{client}/links/many/{batch}/links.csv with the addresses of links that were made together.
func (h *Handler) SendLinkBatch(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	if hidden(member) {
		return shop.ErrRole
	}
	one := member.Shop
	made, err := h.Links.Batch(r.Context(), one.Code, chi.URLParam(r, "batch"))
	if err != nil {
		return err
	}
	var file strings.Builder
	table := csv.NewWriter(&file)
	rows := [][]string{{"reference", "amount", "currency", "link", "status"}}
	for _, row := range made.Rows {
		rows = append(rows, []string{
			printable.Cell(row.ClientRef), money.Wire(row.Position.Amount()), row.Currency, h.linkURL(one.Code, row.ID), string(row.Status),
		})
	}
	if err := table.WriteAll(rows); err != nil {
		return err
	}
	web.Download(w, "text/csv; charset=utf-8", "pay-links.csv", []byte(file.String()))
	return nil
}

// linkURL returns the address that a payer opens.
func (h *Handler) linkURL(code, id string) string {
	return h.Public.JoinPath("pos", code, id).String()
}

// ShowLink answers GET /desk/{client}/links/{id} with the state of a pay link and ways to share it.
func (h *Handler) ShowLink(w http.ResponseWriter, r *http.Request) error {
	hours, _ := strconv.Atoi(r.URL.Query().Get("hours"))
	return h.renderLink(w, r, http.StatusOK, view.Link{Done: r.URL.Query().Get("done"), Hours: hours})
}

// ChangeLink answers POST /desk/{client}/links/{id}, which mails a link (do=send) or ends it (do=end).
func (h *Handler) ChangeLink(w http.ResponseWriter, r *http.Request) error {
	member, id := session.MemberOf(r), chi.URLParam(r, "id")
	switch r.PostForm.Get("do") {
	case "end":
		err := h.Links.End(r.Context(), member.Person, member.Shop, id)
		if errors.Is(err, paylink.ErrDone) {
			return h.renderLink(w, r, http.StatusConflict, view.Link{Notice: view.LinkNotEnded})
		}
		if err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "links/"+id)+"?done=ended")
	case "send":
		to := r.PostForm.Get("to")
		sent, err := h.send(r, id, to)
		if err != nil {
			return err
		}
		if sent.status != http.StatusOK {
			return h.renderLink(w, r, sent.status, view.Link{Notice: view.LinkNotMailed(sent.done, sent.hours), To: to})
		}
		return web.Redirect(w, r, address(r, "links/"+id)+"?done="+sent.done)
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
}

// mailed is the result of a request to mail a link.
type mailed struct {
	done   string // as the page says it
	status int    // other than 200 for a refusal
	hours  int    // to wait, after too many letters
}

func (h *Handler) send(r *http.Request, id, to string) (mailed, error) {
	member := session.MemberOf(r)
	held, err := h.Links.Send(r.Context(), member.Person, member.Shop, id, to)
	var limit *throttle.Error
	switch {
	case err == nil && held:
		return mailed{done: "held", status: http.StatusOK}, nil
	case err == nil:
		return mailed{done: "sent", status: http.StatusOK}, nil
	case errors.Is(err, paylink.ErrMail):
		return mailed{done: "nomail", status: http.StatusUnprocessableEntity}, nil
	case errors.Is(err, account.ErrUnverified):
		return mailed{done: "unverified", status: http.StatusForbidden}, nil
	case errors.As(err, &limit):
		return mailed{done: "limit", status: http.StatusTooManyRequests, hours: int(math.Ceil(limit.After.Hours()))}, nil
	case errors.Is(err, paylink.ErrDone):
		return mailed{done: "over", status: http.StatusConflict}, nil
	default:
		return mailed{}, err
	}
}

func (h *Handler) renderLink(w http.ResponseWriter, r *http.Request, status int, m view.Link) error {
	member, id := session.MemberOf(r), chi.URLParam(r, "id")
	link, err := h.Links.Find(r.Context(), member.Shop, id)
	if err != nil {
		return err
	}
	m.Link, m.Frame, m.URL, m.May = link, Frame(r, "Pay link"), address(r, "links/"+id), member.May(shop.Edit)
	if m.To == "" {
		m.To = link.Paylink.PayerMail
	}
	if r.Header.Get("HX-Request") == "true" && !m.Changing() { // the parts that share and end the link have to go, too
		return web.Leave(w, r, m.URL)
	}
	m.Code, err = ui.QRCodeOf("this pay link", h.linkURL(member.Shop.Code, id))
	if err != nil {
		return err
	}
	return web.Render(w, r, status, view.LinkPage(m), view.LinkFragment)
}

// SendLinkCode answers GET /desk/{client}/links/{id}/code.svg with a file.
func (h *Handler) SendLinkCode(w http.ResponseWriter, r *http.Request) error {
	one, id := session.MemberOf(r).Shop, chi.URLParam(r, "id")
	if _, err := h.Links.Find(r.Context(), one, id); err != nil {
		return err
	}
	code, err := qr.New(h.linkURL(one.Code, id))
	if err != nil {
		return err
	}
	web.Download(w, "image/svg+xml", "pay-link.svg", code.SVG(codeWidth))
	return nil
}
