package account

import (
	"errors"
	"io"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
	"forecourt/internal/upkeep/privacy"
	view "forecourt/views/account"
)

// ShowData answers GET /account/data: a copy of the account's data, and its erasure.
func (h *Handler) ShowData(w http.ResponseWriter, r *http.Request) error {
	return h.renderData(w, r, http.StatusOK, view.Data{Kept: r.URL.Query().Has("kept"), Typed: view.TypedField()})
}

// ChangeData answers POST /account/data. The button says what to do. Everything except keeping the account needs a proof of identity.
func (h *Handler) ChangeData(w http.ResponseWriter, r *http.Request) error {
	m, me := view.Data{Typed: view.TypedField()}, holder(r)
	switch r.PostForm.Get("do") {
	case "keep":
		if err := h.Privacy.KeepAccount(r.Context(), me); err != nil {
			return err
		}
		return web.Leave(w, r, "/account/data?kept")
	case "erase":
		if err := session.Prove(r); err != nil {
			return err
		}
		m.Typed.Value = r.PostForm.Get("typed")
		err := h.Privacy.AskErasure(r.Context(), me, m.Typed.Value)
		switch {
		case errors.Is(err, privacy.ErrTyped):
			m.Typed.Problem = view.OtherAddress
			return h.renderData(w, r, http.StatusUnprocessableEntity, m)
		case errors.As(err, new(*privacy.HeldError)): // the page says why
			return h.renderData(w, r, http.StatusConflict, m)
		case err != nil:
			return err
		}
		return web.Leave(w, r, "/account/data")
	}
	return fault.New(fault.Invalid, "unknown button")
}

// SendCopy answers POST /account/data/copy with the ZIP.
func (h *Handler) SendCopy(w http.ResponseWriter, r *http.Request) error {
	me := holder(r)
	err := h.Privacy.TakeCopy(r.Context(), me)
	if errors.As(err, new(*throttle.Error)) {
		return h.renderData(w, r, http.StatusTooManyRequests, view.Data{Notice: view.TooManyCopies, Typed: view.TypedField()})
	}
	if err != nil {
		return err
	}
	return web.SendParts(w, "application/zip", "your-data.zip", 0, func(out io.Writer) error {
		return h.Privacy.Export(r.Context(), me.ID, out)
	})
}

// renderData fills in the account's copies and its erasure.
func (h *Handler) renderData(w http.ResponseWriter, r *http.Request, status int, m view.Data) error {
	me := holder(r)
	told, err := h.People.Of(r.Context(), me.ID)
	if err != nil {
		return err
	}
	held, err := h.Privacy.HeldBy(r.Context(), me.ID)
	if err != nil {
		return err
	}
	due, err := h.Privacy.Ordered(r.Context(), me.ID)
	if err != nil {
		return err
	}
	m.Email, m.EraseAfter = me.Email, privacy.EraseAfter
	if !due.IsZero() {
		m.Due = clock.Text(due, told.Zone)
	}
	for _, why := range held {
		m.Held = append(m.Held, view.HeldWords(why.Kind, why.What))
	}
	return web.Render(w, r, status, view.DataPage(m), view.Panel)
}
