package pay

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/order"
	view "forecourt/views/pay"
	receiptview "forecourt/views/receipt"
)

// reader says who looks at a page.
type reader struct {
	mark   string // of the attempt that the browser sent last; "" for none
	trying bool   // a member of the team, who may try the menu at any hour
}

// reader returns who sent a request. It is a copy, which may outlast the request.
func (h *Handler) reader(r *http.Request) reader {
	return reader{strings.Clone(h.Payers.Mark(r)), h.Trial.Of(r, chi.URLParam(r, "client"))}
}

// page returns the model of a transaction's page. Its link back to the menu chooses the same order again, as far as it can still be bought.
// Only the browser that paid gets the link to the receipt, and to where the gateway sends the payer after an approval (PAY-43).
func (h *Handler) page(ctx context.Context, t *payment.Transaction, by reader) (view.Page, error) {
	p := h.model(t)
	switch {
	case t.ReceiptToken == "":
	case h.Payers.Sent(by.mark, t.ApprovedAttempt):
		p.ReceiptURL = receiptview.Path(t.ReceiptToken)
		if t.AttemptState == state.AttemptApproved && t.RedirectUrl != "" {
			p.OnwardURL, p.Follow = t.RedirectUrl, t.Now.Sub(*t.PaidAt) < followFor
		}
		if p.Follow {
			p.Frame.Refresh, p.Frame.RefreshURL = 1, p.OnwardURL
		}
	default:
		p.ReceiptElsewhere = true
	}
	if t.IsLink() || t.ID == demoID {
		return p, nil
	}
	if gone := t.Unavailable(); p.State == view.Form && len(gone) > 0 {
		p.State, p.Gone = view.Unavailable, gone
	}
	p.MenuURL = web.MenuURL(t.Shop.Code, t.TableName, t.CustomerName)
	if p.State == view.Waiting || p.State == view.Success || p.State == view.Status {
		return p, nil // the order is under way, so the menu link starts a new one
	}
	read := h.Menus.Fresh
	if p.State == view.Form {
		read = h.Menus.Menu // the order was made from this menu a moment ago
	}
	menu, err := read(ctx, t.Shop.Code)
	if err != nil {
		return p, err
	}
	if by.trying {
		menu = menu.AtAnyHour()
	}
	basket, leftOut := chosenAgain(menu, t.Items())
	p.LeftOut = leftOut
	if len(basket) == 0 {
		return p, nil
	}
	query := url.Values{"b": {basket.String()}}
	if t.PaidAt == nil {
		query.Set("o", t.ID) // the basket that made this order becomes this order
	}
	separator := "?"
	if strings.Contains(p.MenuURL, "?") {
		separator = "&"
	}
	p.MenuURL += separator + query.Encode()
	return p, nil
}

// chosenAgain chooses the same order once more, and names the items that cannot be bought now.
func chosenAgain(menu *order.Menu, lines []payment.Line) (order.Basket, []string) {
	basket := order.Basket{}
	var leftOut []string
	for _, line := range lines {
		pick, ok := pickOf(menu, line)
		if !ok || menu.Make(pick.Line(int(line.Qty))).Problem != "" {
			leftOut = append(leftOut, line.Name)
			continue
		}
		basket.Set(pick, basket[pick]+int(line.Qty))
	}
	return basket, leftOut
}

// pickOf returns a line of an order as a choice from the menu; ok is false if the menu no longer has its item.
func pickOf(menu *order.Menu, line payment.Line) (pick order.Pick, ok bool) {
	if line.ItemID == nil || menu.Item(*line.ItemID) == nil {
		return "", false
	}
	item := menu.Item(*line.ItemID)
	if !item.Asks() && len(line.Options) == 0 && line.Note == "" {
		return order.Pick(strconv.FormatInt(item.ID, 10)), true
	}
	options := make([]int64, len(line.Options))
	for i, o := range line.Options {
		options[i] = o.ID
	}
	return order.NewPick(item.ID, options, line.Note)
}
