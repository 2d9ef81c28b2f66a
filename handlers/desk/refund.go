package desk

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowRefund answers GET /desk/{client}/payments/{id}/refund with the form of a refund, for an owner filled in with what was asked for.
func (h *Handler) ShowRefund(w http.ResponseWriter, r *http.Request) error {
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	m := view.Refund{Case: c}
	if c.Asked() && session.MemberOf(r).May(shop.Own) {
		m.Typed, err = url.ParseQuery(c.Ask.Form)
		if err != nil {
			return err
		}
		m.Typed.Set("reason", c.Ask.Reason)
	}
	return h.renderRefund(w, r, http.StatusOK, m)
}

// MakeRefund answers POST /desk/{client}/payments/{id}/refund: it shows what a refund would do (do=preview), or makes it (do=refund).
// Posting the same form again makes no second refund. Who may not refund so much asks an owner (do=ask), who may say no (do=no).
func (h *Handler) MakeRefund(w http.ResponseWriter, r *http.Request) error {
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	fields := []string{"how", "amount", "reason"}
	for _, line := range c.Lines {
		fields = append(fields, view.QtyName(line.No))
	}
	m := view.Refund{Case: c, Typed: only(r.PostForm, fields...)}
	switch r.PostForm.Get("do") {
	case "preview", "ask":
		return h.previewRefund(w, r, m)
	case "change":
		return h.renderRefund(w, r, http.StatusOK, m)
	case "refund":
		return h.refund(w, r, m)
	case "no":
		member := session.MemberOf(r)
		if err := h.Books.RefuseAsk(r.Context(), member.Person, member.Shop, c.Payment); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "payments/"+url.PathEscape(c.ID)))
	}
	return fault.New(fault.Invalid, "unknown button")
}

func (h *Handler) previewRefund(w http.ResponseWriter, r *http.Request, m view.Refund) error {
	member, c := session.MemberOf(r), m.Case
	wish, bad := readRefund(m.Typed, c)
	m.Minor, m.Lines, m.Problems = c.Plan(wish)
	if bad {
		m.Problems["amount"] = view.BadAmount
	}
	reason := m.Typed.Get("reason")
	m.Problems.Note("reason", books.CheckReason(&reason))
	room, err := h.Books.RefundAllowance(r.Context(), member.Shop, member.Person, member.Role, c.Payment)
	switch {
	case err != nil:
		return err
	case len(m.Problems) > 0:
		return h.renderRefund(w, r, http.StatusUnprocessableEntity, m)
	case !c.Refundable():
		return h.renderRefund(w, r, http.StatusConflict, m)
	case room != nil && m.Minor > *room && r.PostForm.Get("do") == "ask":
		return h.askOwner(w, r, m, reason)
	case room != nil && m.Minor > *room:
		return h.renderRefund(w, r, http.StatusConflict, m)
	}
	if m.Silent, err = h.Books.RefundsSilent(r.Context(), c.Payment); err != nil {
		return err
	}
	m.Key, m.Seen, m.Frame = uuid.NewString(), c.Reserved, Frame(r, "Check the refund")
	return web.Render(w, r, http.StatusOK, view.RefundPreview(m))
}

// askOwner asks an owner for the refund of a form, whose sender may not make it.
func (h *Handler) askOwner(w http.ResponseWriter, r *http.Request, m view.Refund, reason string) error {
	member := session.MemberOf(r)
	m.Typed.Del("reason")
	err := h.Books.AskOwner(r.Context(), member.Person, member.Shop, m.Case.Payment, m.Minor, m.Typed, reason)
	if err != nil && !errors.Is(err, books.ErrAsked) { // else the page says who asked
		return err
	}
	return web.Redirect(w, r, address(r, "payments/"+url.PathEscape(m.Case.ID)))
}

// refund makes the refund of a form that was previewed.
func (h *Handler) refund(w http.ResponseWriter, r *http.Request, m view.Refund) error {
	key, wrong := uuid.Parse(r.PostForm.Get("key"))
	seen, bad := strconv.ParseInt(r.PostForm.Get("seen"), 10, 64)
	minor, broken := strconv.ParseInt(r.PostForm.Get("minor"), 10, 64)
	wish, _ := readRefund(m.Typed, m.Case)
	var lines []payment.RefundLine
	for _, line := range m.Case.Lines {
		if n := wish.Qty[line.No]; wish.How == books.ByLine && n > 0 {
			lines = append(lines, payment.RefundLine{No: line.No, Qty: n})
		}
	}
	if wrong != nil || bad != nil || broken != nil || minor <= 0 || key == uuid.Nil || wish.How == books.ByLine && len(lines) == 0 {
		return fault.New(fault.Invalid, "not a form of this page")
	}
	reason := m.Typed.Get("reason")
	if problem := books.CheckReason(&reason); problem != "" {
		m.Problems = fault.Problems{"reason": problem}
		return h.renderRefund(w, r, http.StatusUnprocessableEntity, m)
	}
	member := session.MemberOf(r)
	refunder, err := h.Books.Refunder(r.Context(), member.Shop, member.Person, member.Role, m.Case.Payment)
	if err != nil {
		return err
	}
	made, err := h.Payments.Refund(r.Context(), payment.RefundRequest{
		TransactionID: m.Case.ID, Shop: member.Shop.Code, ID: key, Amount: minor, Lines: lines, Reason: reason,
		By: member.Person.Email, Member: &refunder, Seen: &seen,
		Again: true, // the preview listed the earlier refunds, and Seen is still right if there were none since
	})
	if err == nil {
		return web.Redirect(w, r, address(r, "payments/"+url.PathEscape(m.Case.ID))+"?refund="+string(made.State))
	}
	if errors.Is(err, account.ErrUnproved) {
		return err
	}
	m.Minor = minor
	now, lost := h.payment(r) // as it is now
	if m.Case, m.Notice = now, view.Refused(err, now); m.Notice == "" {
		return err
	}
	if lost != nil {
		return lost
	}
	return h.renderRefund(w, r, http.StatusConflict, m)
}

// readRefund reads the form. bad reports that the amount is not valid.
func readRefund(given url.Values, c books.Case) (g books.RefundWish, bad bool) {
	g = books.RefundWish{How: given.Get("how"), Qty: map[int]int{}}
	for _, line := range c.Lines {
		text := given.Get(view.QtyName(line.No))
		n, err := typed.Count(text)
		if err != nil && text != "" {
			n = -1
		}
		g.Qty[line.No] = n
	}
	if g.How == books.ByAmount {
		minor, err := typed.Amount(given.Get("amount"), c.Currency)
		g.Amount, bad = minor, given.Has("amount") && err != nil
	}
	return g, bad
}

func (h *Handler) renderRefund(w http.ResponseWriter, r *http.Request, status int, m view.Refund) error {
	member := session.MemberOf(r)
	room, err := h.Books.RefundAllowance(r.Context(), member.Shop, member.Person, member.Role, m.Case.Payment)
	if err != nil {
		return err
	}
	m.Room, m.Own, m.Frame, m.Owner = room, member.Shop.Currency, Frame(r, "Make a refund"), member.May(shop.Own)
	return web.Render(w, r, status, view.RefundPage(m))
}
