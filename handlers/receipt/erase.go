package receipt

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/throttle"
	"forecourt/internal/upkeep/privacy"
	view "forecourt/views/receipt"
)

// ShowErase answers GET /receipt/{token}/erase. ?code= is the code in the mailed link, ?asked= the role to which a link was just sent.
// Opening the page changes nothing, because programs also open links in mails.
func (h *Handler) ShowErase(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	code := r.URL.Query().Get("code")
	if code == "" {
		return h.renderErase(w, r, http.StatusOK, view.Erase{Asked: r.URL.Query().Get("asked")})
	}
	asked, err := h.privacy.FindPayer(r.Context(), code)
	if errors.Is(err, privacy.ErrLink) || err == nil && asked.Receipt != chi.URLParam(r, "token") {
		return h.renderErase(w, r, http.StatusGone, view.Erase{Notice: view.StaleErase(privacy.ConfirmFor)})
	}
	if err != nil {
		return err
	}
	return h.renderErase(w, r, http.StatusOK, view.Erase{Code: code, Going: asked.Confirmed})
}

// Erase answers POST /receipt/{token}/erase: with the code of a mailed link it erases or sends a copy (do=copy), with a role it mails one.
func (h *Handler) Erase(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	if err := web.ParseForm(r); err != nil {
		return err
	}
	token := chi.URLParam(r, "token")
	if code := r.PostForm.Get("code"); code != "" {
		return h.confirmErase(w, r, token, code)
	}
	role := receipt.Role(r.PostForm.Get("role"))
	err := h.privacy.AskPayer(r.Context(), token, role, h.proxies.Client(r))
	var limit *throttle.Error
	switch {
	case err == nil:
		return web.Redirect(w, r, view.Path(token)+"/erase?asked="+url.QueryEscape(string(role)))
	case errors.As(err, &limit):
		web.TellWait(w, err)
		return h.renderErase(w, r, http.StatusTooManyRequests, view.Erase{Notice: view.TooManyLetters})
	case errors.Is(err, privacy.ErrMoving):
		return h.renderErase(w, r, http.StatusConflict, view.Erase{Notice: view.StillMoving})
	case errors.Is(err, receipt.ErrNobody): // the page says what else the payer can do
		return h.renderErase(w, r, http.StatusUnprocessableEntity, view.Erase{})
	default:
		return err
	}
}

func (h *Handler) confirmErase(w http.ResponseWriter, r *http.Request, token, code string) error {
	asked, err := h.privacy.FindPayer(r.Context(), code)
	if err == nil && asked.Receipt != token {
		err = privacy.ErrLink
	}
	if err == nil && r.PostForm.Get("do") == "copy" {
		var file []byte
		if file, err = h.privacy.CopyPayer(r.Context(), code); err == nil {
			web.Download(w, "application/json", "my-payment.json", file)
			return nil
		}
	}
	if err == nil {
		_, err = h.privacy.ConfirmPayer(r.Context(), code)
	}
	switch {
	case errors.Is(err, privacy.ErrLink):
		return h.renderErase(w, r, http.StatusGone, view.Erase{Notice: view.StaleErase(privacy.ConfirmFor)})
	case err != nil:
		return err
	}
	return h.renderErase(w, r, http.StatusOK, view.Erase{Going: true})
}

func (h *Handler) renderErase(w http.ResponseWriter, r *http.Request, status int, m view.Erase) error {
	token := chi.URLParam(r, "token")
	found, err := h.receipts.Find(r.Context(), token)
	if err != nil {
		return err
	}
	m.Frame = web.CustomerFrame("My details", found.Shop, "")
	m.Frame.Merchant.Name, m.Frame.Merchant.Live = found.Business, !found.Test
	m.Receipt, m.Path, m.Support, m.WorksFor = found, view.Path(token), h.support, privacy.ConfirmFor
	role := m.Asked
	m.Asked, m.To = "", againOf(found.Payers())
	for _, to := range m.To {
		if to.Role == role {
			m.Asked = to.Address
		}
	}
	return web.Render(w, r, status, view.ErasePage(m))
}
