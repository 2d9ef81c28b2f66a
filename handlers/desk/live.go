package desk

import (
	"errors"
	"net/http"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowLive answers GET /desk/{client}/live.
func (h *Handler) ShowLive(w http.ResponseWriter, r *http.Request) error {
	return h.renderLive(w, r, http.StatusOK, view.Live{})
}

// ChangeLive answers POST /desk/{client}/live: an owner asks to go live, or switches.
func (h *Handler) ChangeLive(w http.ResponseWriter, r *http.Request) error {
	m, do := session.MemberOf(r), r.PostForm.Get("do")
	if do != "test" && do != "answer" { // back to test mode at once
		if err := session.Prove(r); err != nil {
			return err
		}
	}
	var err error
	switch do {
	case "use":
		if !m.May(shop.Own) {
			return shop.ErrRole
		}
		err = h.Records.Use(r.Context(), m.Person, m.Shop.Code)
	case "ask":
		err = h.GoLive.Ask(r.Context(), m.Person, m.Shop.Code, r.PostForm.Get("note"))
	case "answer":
		if typed.Text(r.PostForm.Get("note")) == "" {
			return h.renderLive(w, r, http.StatusUnprocessableEntity, view.Live{AskedWrong: "Write your answer."})
		}
		_, err = h.Forms.Submit(r.Context(), m.Person, form.Application, r.PostForm.Get("note"))
	case "live", "test":
		err = h.GoLive.Switch(r.Context(), m.Person, m.Shop.Code, do == "live")
	default:
		err = fault.New(fault.Invalid, "unknown button")
	}
	var problems fault.Problems
	switch {
	case do == "answer" && errors.Is(err, form.ErrIncomplete):
		return web.Redirect(w, r, "/form/application/check") // which leads to what is missing
	case do == "answer" && errors.As(err, &problems):
		return h.renderLive(w, r, http.StatusUnprocessableEntity, view.Live{AskedWrong: problems["note"], Note: r.PostForm.Get("note")})
	case errors.Is(err, golive.ErrNotReady):
		return h.renderLive(w, r, http.StatusConflict, view.Live{Problem: err.Error(), Note: r.PostForm.Get("note")})
	case errors.Is(err, golive.ErrNotApproved), errors.Is(err, golive.ErrShortPassword):
		return h.renderLive(w, r, http.StatusConflict, view.Live{Problem: err.Error()})
	case err != nil:
		return err
	}
	return web.Redirect(w, r, address(r, "live")+"?done="+do)
}

func (h *Handler) renderLive(w http.ResponseWriter, r *http.Request, status int, m view.Live) (err error) {
	member := session.MemberOf(r)
	if m.Progress, err = h.GoLive.Progress(r.Context(), member.Shop); err != nil {
		return err
	}
	if m.Application == form.Returned && member.May(shop.Own) {
		if m.Asked, err = h.Forms.Asked(r.Context(), member.Shop.Code, member.Person.Email); err != nil {
			return err
		}
	}
	m.Zone = clock.Zone(member.Shop.TimeZone)
	m.Owner, m.Reader, m.Items = member.May(shop.Own), member.Person.Email, items(member, m.Progress)
	if r.Method != http.MethodPost {
		m.Done = liveDone(r.URL.Query().Get("done"), m.Progress)
	}
	return web.Render(w, r, status, view.LivePage(Frame(r, view.LiveTab(member.Shop.Live)), m))
}

// liveDone confirms what was done, but only if it is still true, because anybody can write a link.
func liveDone(what string, p golive.Progress) string {
	if what == "answer" && p.Application != form.Submitted || what == "live" && !p.Live || what == "test" && p.Live || what == "ask" &&
		p.Request != golive.Asked || what == "use" && p.Record == "" {
		return ""
	}
	return view.LiveDone(what)
}
