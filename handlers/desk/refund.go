package desk

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowRefund answers GET /desk/{client}/payments/{id}/refund with the form of a refund.
func (h *Handler) ShowRefund(w http.ResponseWriter, r *http.Request) error {
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	return h.renderRefund(w, r, http.StatusOK, view.Refund{Case: c})
}

// MakeRefund answers POST /desk/{client}/payments/{id}/refund: it shows what a refund would do (do=preview), or makes it (do=refund).
// Posting the same form again makes no second refund.
func (h *Handler) MakeRefund(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	c, err := h.payment(r)
	if err != nil {
		return err
	}
	m := view.Refund{Case: c, Typed: view.RefundTyped{
		How: r.PostForm.Get("how"), Amount: strings.TrimSpace(r.PostForm.Get("amount")),
		Reason: oneLine(r.PostForm.Get("reason")), Qty: map[int]string{},
	}}
	for _, line := range c.Lines {
		m.Typed.Qty[line.No] = strings.TrimSpace(r.PostForm.Get(view.QtyName(line.No)))
	}
	wish, bad := readRefund(m.Typed, c.Currency)
	switch do := r.PostForm.Get("do"); {
	case do == "refund":
		return h.refund(w, r, m, wish)
	case do != "preview" && do != "change":
		return fault.New(fault.Invalid, "unknown button")
	case do == "change":
		return h.renderRefund(w, r, http.StatusOK, m)
	}
	m.Minor, m.Lines, m.Problems = c.Plan(wish)
	if bad {
		m.Problems["amount"] = shop.Unfit
	}
	member := session.MemberOf(r)
	room, err := h.Trade.RefundAllowance(r.Context(), member.Person, member.Role, member.Shop, c.Payment)
	switch {
	case err != nil:
		return err
	case len(m.Problems) > 0:
		return h.renderRefund(w, r, http.StatusUnprocessableEntity, m)
	case !c.Refundable():
		return h.renderRefund(w, r, http.StatusConflict, m)
	case !room.Allows(m.Minor):
		m.Notice = view.AboveLimit(room, c.Currency, member.Shop.Currency)
		return h.renderRefund(w, r, http.StatusConflict, m)
	}
	m.Key, m.Seen = uuid.NewString(), c.Reserved
	m.Frame, m.Back = frame(r, "Check the refund"), address(r, "payments/"+url.PathEscape(c.ID))
	m.URL = m.Back + "/refund"
	m.Business = member.Shop.Name
	return web.Render(w, r, http.StatusOK, view.RefundPreview(m))
}

// refund makes the refund of a form that was previewed.
func (h *Handler) refund(w http.ResponseWriter, r *http.Request, m view.Refund, wish books.RefundWish) error {
	key, wrong := uuid.Parse(r.PostForm.Get("key"))
	seen, bad := strconv.ParseInt(r.PostForm.Get("seen"), 10, 64)
	minor, broken := strconv.ParseInt(r.PostForm.Get("minor"), 10, 64)
	if wrong != nil || bad != nil || broken != nil || minor <= 0 || key == uuid.Nil {
		return fault.New(fault.Invalid, "not a form of this page")
	}
	member := session.MemberOf(r)
	proved := session.Prove(r)
	asked := books.RefundRequest{ID: key, Amount: minor, Reason: wish.Reason, Seen: seen, Proved: proved == nil}
	if wish.How == books.ByLine {
		for _, line := range m.Case.Lines {
			if line.Qty = wish.Qty[line.No]; line.Qty > 0 {
				asked.Lines = append(asked.Lines, line)
			}
		}
		if len(asked.Lines) == 0 {
			return fault.New(fault.Invalid, "not a form of this page")
		}
	}
	if _, _, problems := m.Case.Plan(books.RefundWish{How: books.ByAmount, Amount: 1, Reason: wish.Reason}); problems["reason"] != "" {
		m.Problems = shop.Problems{"reason": problems["reason"]}
		return h.renderRefund(w, r, http.StatusUnprocessableEntity, m)
	}
	made, err := h.Trade.Refund(r.Context(), member.Person, member.Shop, m.Case.ID, asked)
	if err == nil {
		return web.Redirect(w, r, address(r, "payments/"+url.PathEscape(m.Case.ID))+"?refund="+string(made.State))
	}
	if errors.Is(err, shop.ErrUnproved) {
		return proved
	}
	if m.Notice = refusedRefund(err); m.Notice == "" {
		return err
	}
	refused := err
	if m.Case, err = h.payment(r); err != nil { // as it is now
		return err
	}
	if errors.Is(refused, payment.ErrOtherRefund) && m.Case.Undecided {
		m.Notice = view.RefundUnderWay(m.Case)
	}
	return h.renderRefund(w, r, http.StatusConflict, m)
}

// refundRefusals says why a refund was not made, by error.
var refundRefusals = map[error]string{
	payment.ErrNotPaid:     "This has not been paid, so there is nothing to refund.",
	payment.ErrNoCaptureID: "The gateway has not given us its id for this payment. Ask support to refund it.",
	payment.ErrTooMuch:     "That is more than is left of the payment. Nothing was refunded.",
	payment.ErrLines:       "Some of these were refunded already. Nothing was refunded now.",
	payment.ErrDisputed:    "The payer’s bank holds this money or has taken it. Nothing was refunded.",
	payment.ErrInQuestion:  "The gateway’s list and our books differ about this payment. Our staff are checking it. Nothing was refunded.",
	payment.ErrOtherRefund: "Somebody else made a refund in the meantime. Nothing was refunded twice. Below is the payment as it is now.",
	payment.ErrRestored: "The server was restored from a backup. Payments from before can be refunded once our " +
		"staff have compared them with the gateway. Nothing was refunded.",
	payment.ErrElsewhere:    "This was paid at a gateway that is no longer connected. Ask support to refund it.",
	shop.ErrRefundLimit:     "That is more than your role may refund of this payment. Ask an owner. Nothing was refunded.",
	payment.ErrOtherCapture: "The gateway has not given us its id for this payment. Ask support to refund it.",
}

// refusedRefund says why no refund was made, or returns "" for an error that the person cannot have caused.
func refusedRefund(err error) string {
	for known, text := range refundRefusals {
		if errors.Is(err, known) {
			return text
		}
	}
	return ""
}

// readRefund reads the form. bad reports that the amount is not valid.
func readRefund(typed view.RefundTyped, currency string) (g books.RefundWish, bad bool) {
	g = books.RefundWish{How: typed.How, Reason: typed.Reason, Qty: map[int]int{}}
	for no, text := range typed.Qty {
		n, err := strconv.Atoi(text)
		if err != nil && text != "" {
			n = -1
		}
		g.Qty[no] = n
	}
	if typed.How == books.ByAmount {
		minor, err := money.Typed(typed.Amount, currency)
		g.Amount, bad = minor, typed.Amount != "" && err != nil
	}
	return g, bad
}

func (h *Handler) renderRefund(w http.ResponseWriter, r *http.Request, status int, m view.Refund) error {
	member := session.MemberOf(r)
	room, err := h.Trade.RefundAllowance(r.Context(), member.Person, member.Role, member.Shop, m.Case.Payment)
	if err != nil {
		return err
	}
	m.Room, m.Own = room, member.Shop.Currency
	m.Frame, m.Back = frame(r, "Make a refund"), address(r, "payments/"+url.PathEscape(m.Case.ID))
	m.URL = m.Back + "/refund"
	return web.Render(w, r, status, view.RefundPage(m))
}
