package receipt

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/db/state"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/books"
	view "forecourt/views/receipt"
	"forecourt/views/ui"
)

// CheckReceipt answers GET /receipt/verify?code= with what was signed and whether the signature is valid. It also takes the code of a
// closing.
func (h *Handler) CheckReceipt(w http.ResponseWriter, r *http.Request) error {
	if !r.URL.Query().Has("code") {
		return web.Render(w, r, http.StatusOK, view.CheckPage(checkPage()))
	}
	return h.check(w, r, web.Query(r).Get("code"))
}

func checkPage() view.Check {
	return view.Check{
		Frame: ui.Site{
			Title: "Check a receipt or an end of day", Description: "Check that a receipt or an end of day is genuine and that nobody changed it.",
		},
		Code: ui.Field{
			ID: "code", Name: "code", Label: "Code of the receipt", Hint: "The address that its QR code leads to, or what follows code= in it",
			Autocomplete: "off", EnterKeyHint: "go", Required: true,
		},
		File: ui.Field{ID: "closing", Name: "text", Label: "Or paste what is in the file", Autocomplete: "off"},
	}
}

// check answers with the statement in a code.
func (h *Handler) check(w http.ResponseWriter, r *http.Request, code string) error {
	page := checkPage()
	signed, err := receipt.ReadCode(code)
	if c, wrong := books.ReadClosing(signed.Text); err == nil && wrong == nil {
		return h.answerClosing(w, r, c, signed)
	}
	stated, wrong := receipt.ReadStatement(signed.Text)
	if err != nil || wrong != nil {
		page.Code.Problem, page.Code.Value = view.Unreadable, code
		if code == "" {
			page.Code.Problem = view.NoCode
		}
		return web.Render(w, r, http.StatusUnprocessableEntity, view.CheckPage(page))
	}
	holds, err := h.receipts.HoldsStored(r.Context(), signed)
	if err != nil {
		return err
	}
	zone := time.UTC
	if holds {
		stated.With = paidWith(stated.With)
		if zone, err = h.receipts.Zone(r.Context(), stated.Transaction); err != nil {
			return err
		}
	}
	page.Frame.Title = "Receipt checked"
	page.Result = &view.Result{Holds: holds, Test: stated.Mode == "test", Facts: []view.Fact{
		{Name: "Business", Value: stated.Business}, {Name: "ABN", Value: stated.ABN}, {Name: "Total", Value: stated.Total},
		{Name: "GST included", Value: stated.GST}, {Name: "Paid", Value: moment(stated.Paid, zone)}, {Name: "Paid with", Value: stated.With},
		{Name: "Transaction", Value: stated.Transaction},
	}}
	return web.Render(w, r, http.StatusOK, view.CheckPage(page))
}

// moment returns a statement's time by the clock of the business, or unchanged if it does not parse.
func moment(stated string, zone *time.Location) string {
	t, err := time.Parse(time.RFC3339, stated)
	if err != nil {
		return stated
	}
	return clock.Exact(t, zone)
}

// paidWith names a statement's card or wallet ("visa 1111", "gpay") as the receipt does.
func paidWith(stated string) string {
	brand, lastFour, _ := strings.Cut(stated, " ")
	return view.CardText(state.Method(brand), brand, lastFour)
}

// SendKey answers GET /receipt/key.pem with the public key that verifies receipts.
func (h *Handler) SendKey(w http.ResponseWriter, _ *http.Request) error {
	key, err := h.receipts.PublicPEM()
	if err != nil {
		return err
	}
	send(w, "receipt-key.pem", "application/x-pem-file", key)
	return nil
}

// SendText answers GET /receipt/{token}/receipt.txt with what was signed, byte for byte.
func (h *Handler) SendText(w http.ResponseWriter, r *http.Request) error {
	return h.sendPart(w, r, "receipt.txt", "text/plain; charset=utf-8", func(s receipt.Signed) []byte { return []byte(s.Text) })
}

// SendSignature answers GET /receipt/{token}/receipt.sig.
func (h *Handler) SendSignature(w http.ResponseWriter, r *http.Request) error {
	return h.sendPart(w, r, "receipt.sig", "application/octet-stream", func(s receipt.Signed) []byte { return s.Signature })
}

func (h *Handler) sendPart(w http.ResponseWriter, r *http.Request, name, media string, part func(receipt.Signed) []byte) error {
	found, err := h.receipts.Find(r.Context(), chi.URLParam(r, "token"))
	if err != nil {
		return err
	}
	send(w, name, media, part(h.receipts.Sign(found)))
	return nil
}

func send(w http.ResponseWriter, name, media string, file []byte) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = w.Write(file) // it fails only if the reader has gone
}
