package receipt

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/qr"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/throttle"
	view "forecourt/views/receipt"
	"forecourt/views/ui"
)

// codeWidth is the width of a code's picture, in CSS pixels.
const codeWidth = 192

// ShowReceipt answers GET /receipt/{token}; ?sent= names the role that a copy was just sent to.
func (h *Handler) ShowReceipt(w http.ResponseWriter, r *http.Request) error {
	return h.render(w, r, http.StatusOK, func(page *view.Page) {
		for _, again := range page.Again {
			if again.Role == r.URL.Query().Get("sent") {
				page.Sent = again.Address
			}
		}
	})
}

// SendAgain answers POST /receipt/{token}/resend: it sends a copy to an address stored with the payment, never to one that a visitor names.
func (h *Handler) SendAgain(w http.ResponseWriter, r *http.Request) error {
	token, role := chi.URLParam(r, "token"), receipt.Role(r.PostForm.Get("role"))
	err := h.receipts.SendAgain(r.Context(), token, role, h.proxies.Client(r))
	var limit *throttle.Error
	switch {
	case err == nil:
		return web.Redirect(w, r, view.Path(token)+"?sent="+url.QueryEscape(string(role)))
	case errors.As(err, &limit):
		web.TellWait(w, err)
		return h.showNotice(w, r, http.StatusTooManyRequests, view.TooOften(limit.After))
	case errors.Is(err, receipt.ErrNobody):
		return h.showNotice(w, r, http.StatusUnprocessableEntity, err.Error())
	default:
		return err
	}
}

// SendTo answers POST /receipt/{token}/send, by which a payer who left no address names one, once.
func (h *Handler) SendTo(w http.ResponseWriter, r *http.Request) error {
	token, address := chi.URLParam(r, "token"), r.PostForm.Get("email")
	err := h.receipts.SendTo(r.Context(), token, address, h.proxies.Client(r))
	var limit *throttle.Error
	switch {
	case err == nil, errors.Is(err, receipt.ErrAsked):
		sent := "?sent=" + string(receipt.Customer)
		if err != nil {
			sent = "" // the page shows where it went
		}
		return web.Redirect(w, r, view.Path(token)+sent)
	case errors.Is(err, receipt.ErrAddress):
		return h.render(w, r, http.StatusUnprocessableEntity, func(page *view.Page) {
			page.Ask.Value, page.Ask.Problem = address, err.Error()
		})
	case errors.As(err, &limit):
		web.TellWait(w, err)
		return h.showNotice(w, r, http.StatusTooManyRequests, view.TooManyLetters)
	default:
		return err
	}
}

func (h *Handler) showNotice(w http.ResponseWriter, r *http.Request, status int, notice string) error {
	return h.render(w, r, status, func(page *view.Page) { page.Notice = notice })
}

// render answers with the receipt of a request, of which say tells the rest.
func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, say func(*view.Page)) error {
	found, err := h.receipts.Find(r.Context(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	page := h.model(found)
	say(&page)
	return web.Render(w, r, status, view.ReceiptPage(page))
}

// SendCode answers GET /receipt/{token}/code.svg with the QR code that leads to the check of the receipt. It is not part of the page,
// because it would fill the first 14 KB: a signature cannot be compressed.
func (h *Handler) SendCode(w http.ResponseWriter, r *http.Request) error {
	found, err := h.receipts.Find(r.Context(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	code, err := qr.New(h.checkURL(found))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = w.Write(code.SVG(codeWidth)) // it fails only if the reader has gone
	return nil
}

// checkURL returns the address at which anybody can check a receipt.
func (h *Handler) checkURL(found receipt.Receipt) string {
	address := h.public.JoinPath(view.CheckPath)
	address.RawQuery = "code=" + h.receipts.Sign(found).Code()
	return address.String()
}

func (h *Handler) model(found receipt.Receipt) view.Page {
	p := view.Page{
		Receipt: found, Path: view.Path(found.Token), CheckURL: h.checkURL(found), Again: againOf(found.Customers()),
		Ask: ui.Field{
			ID: "email", Name: "email", Label: "Email this receipt to", Type: "email", Autocomplete: "email", InputMode: "email",
			EnterKeyHint: "send", Required: true,
		},
	}
	p.Frame = web.CustomerFrame(view.Heading(found), found.Shop, "", "receipt.js")
	p.Frame.Merchant.Name, p.Frame.Merchant.Tagline, p.Frame.Merchant.Live = found.Business, "", !found.Test
	p.Frame.Back, p.Frame.BackName = "/pos/"+found.Shop.Code+"/"+found.TransactionID, "Back to your order"
	return p
}

// againOf returns whom a page offers to mail again, with masked addresses.
func againOf(list []receipt.Recipient) (again []view.Again) {
	for _, to := range list {
		again = append(again, view.Again{Role: string(to.Role), Address: receipt.Mask(to.Address)})
	}
	return again
}
