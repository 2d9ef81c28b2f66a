package pay

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/push"
	view "forecourt/views/pay"
)

// AttachPush answers POST /pos/{client}/{id}/push: it has the browser of a token notified when the order is ready (PAY-54). A script that
// wants no page gets 204.
func (h *Handler) AttachPush(w http.ResponseWriter, r *http.Request) error {
	if h.Push == nil {
		return fault.New(fault.NotFound, "push is not set up")
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	shop, id := chi.URLParam(r, "client"), chi.URLParam(r, "id")
	if err := h.Push.Attach(r.Context(), shop, id, r.PostForm.Get("token")); err != nil {
		return err
	}
	if r.Header.Get("Prefer") == "return=minimal" {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return web.Redirect(w, r, address(shop, id))
}

// PushMessage returns the push message about an order for a customer's browser.
func PushMessage(ready push.Ready) push.Message {
	title, body := view.ReadyWords(ready.Business, ready.Loc, ready.Table, ready.Name, ready.Completed)
	return push.Message{
		Data:         push.Data{Loc: ready.Loc, URL: address(ready.Shop, ready.TrxID)},
		Notification: push.Notification{Title: title, Body: body},
	}
}
