package desk

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowLinks answers GET /desk/{client}/links?show=open&find=INV&before=CURSOR: the pay links of a shop, newest first.
func (h *Handler) ShowLinks(w http.ResponseWriter, r *http.Request) error {
	member, query := session.MemberOf(r), r.URL.Query()
	m := view.Links{
		Frame: frame(r, "Pay links"), URL: address(r, "links"), Show: query.Get("show"),
		Find: strings.TrimSpace(query.Get("find")), Batch: query.Get("batch"),
		May: member.May(shop.Edit), Further: query.Has("before"),
	}
	if !slices.Contains(view.LinkFilters, m.Show) {
		m.Show = paylink.AllLinks
	}
	list, next, more, err := h.Links.List(
		r.Context(), member.Shop, paylink.Filter{Show: m.Show, Find: m.Find, Batch: m.Batch}, cursorOf(query.Get("before")),
	)
	if err != nil {
		return err
	}
	m.List = list
	if m.Batch != "" {
		m.FileURL = address(r, "links/many/"+url.PathEscape(m.Batch)+"/links.csv")
	}
	if more {
		m.Next = m.Address(m.Show) + "&before=" + strconv.FormatInt(next.Made.UnixMicro(), 10) + "." + next.ID
	}
	return web.Render(w, r, http.StatusOK, view.LinksPage(m))
}

// cursorOf reads where a page of the list begins; an invalid cursor starts at the beginning.
func cursorOf(text string) paylink.Cursor {
	micro, id, ok := strings.Cut(text, ".")
	at, err := strconv.ParseInt(micro, 10, 64)
	if !ok || err != nil || at < 0 || at > 250e15 {
		return paylink.Cursor{}
	}
	return paylink.Cursor{Made: time.UnixMicro(at), ID: strings.ToValidUTF8(strings.ReplaceAll(id, "\x00", ""), "")}
}

// SendLinkBatch answers GET /desk/{client}/links/many/{batch}/links.csv with the addresses of links that were made together.
func (h *Handler) SendLinkBatch(w http.ResponseWriter, r *http.Request) error {
	one := session.MemberOf(r).Shop
	made, err := h.Links.Batch(r.Context(), one.Code, chi.URLParam(r, "batch"))
	if err != nil {
		return err
	}
	var file strings.Builder
	table := csv.NewWriter(&file)
	rows := [][]string{{"reference", "amount", "currency", "link", "status"}}
	for _, row := range made.Rows {
		rows = append(rows, []string{
			printable.Cell(row.ClientRef), money.Wire(row.AmountMinor), row.Currency, h.linkURL(one.Code, row.ID), string(row.Status),
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
