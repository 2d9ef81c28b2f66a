package account

import (
	"errors"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// ShowAccount answers GET /account.
func (h *Handler) ShowAccount(w http.ResponseWriter, r *http.Request) error {
	p, _ := session.Signed(r)
	m := view.Profile{Done: r.URL.Query().Get("done"), Name: view.NameField(p.Name), Password: view.ChangePasswordFields()}
	return h.render(w, r, http.StatusOK, m)
}

// ChangeAccount answers POST /account. The button says what to change.
func (h *Handler) ChangeAccount(w http.ResponseWriter, r *http.Request) error {
	switch r.PostForm.Get("do") {
	case view.SendLink: // render sends it
		p, _ := session.Signed(r)
		return h.render(w, r, http.StatusOK, view.Profile{Name: view.NameField(p.Name), Password: view.ChangePasswordFields()})
	case "name":
		return h.changeName(w, r)
	case "password":
		return h.changePassword(w, r)
	case "screens":
		if err := h.Accounts.EndScreens(r.Context(), holder(r).ID); err != nil {
			return err
		}
		return web.Leave(w, r, "/account?done=screens")
	case "everywhere":
		if err := h.Accounts.EndDevices(r.Context(), holder(r).ID); err != nil {
			return err
		}
		return web.Leave(w, r, "/signin")
	}
	handle, err := uuid.Parse(r.PostForm.Get("end"))
	if err != nil {
		return fault.New(fault.NotFound, "no such session")
	}
	if err := h.Accounts.EndDevice(r.Context(), holder(r).ID, handle); err != nil {
		return err
	}
	return web.Leave(w, r, "/account?done=end#devices")
}

func (h *Handler) changeName(w http.ResponseWriter, r *http.Request) error {
	p, _ := session.Signed(r)
	name := r.PostForm.Get("name")
	err := h.Accounts.SetName(r.Context(), p.ID, name)
	if problems := (fault.Problems)(nil); errors.As(err, &problems) {
		m := view.Profile{Name: view.NameField(name), Password: view.ChangePasswordFields()}
		m.Name.Problem = problems["name"]
		return h.render(w, r, http.StatusUnprocessableEntity, m)
	}
	if err != nil {
		return err
	}
	return web.Leave(w, r, "/account?done=name")
}

func (h *Handler) changePassword(w http.ResponseWriter, r *http.Request) error {
	p, _ := session.Signed(r)
	old := account.Credentials{
		Email: p.Email, Password: secret.New(r.PostForm.Get("old-password")), From: h.Proxies.Client(r), Device: h.Sessions.Known(r),
	}
	err := h.Accounts.ChangePassword(r.Context(), account.User{ID: p.ID, Email: p.Email}, p.Session, old,
		secret.New(r.PostForm.Get("password")), secret.New(r.PostForm.Get("confirm")))
	if err == nil {
		if _, err := h.remember(w, r, p.Email, ""); err != nil {
			return err
		}
		two, err := h.Accounts.TwoStepOf(r.Context(), p.ID)
		if err == nil && !two.Asked { // with a second step the password alone is no proof
			err = h.Sessions.Proved(w, r)
		}
		if err != nil {
			return err
		}
		return web.Leave(w, r, "/account?done=password")
	}
	m := view.Profile{Name: view.NameField(p.Name), Password: view.ChangePasswordFields()}
	if errors.Is(err, account.ErrCredentials) {
		set(m.Password, "old-password", view.WrongPassword)
		return h.render(w, r, http.StatusUnprocessableEntity, m)
	}
	status, notice, known := h.explain(m.Password, err)
	if !known {
		return err
	}
	m.Notice = notice
	return h.render(w, r, status, m)
}

// render fills in what every view of the page shows.
func (h *Handler) render(w http.ResponseWriter, r *http.Request, status int, m view.Profile) error {
	p, _ := session.Signed(r)
	var err error
	if m.Devices, err = h.Accounts.Devices(r.Context(), p.ID); err != nil {
		return err
	}
	if m.Screens, err = h.Accounts.Screens(r.Context(), p.ID); err != nil {
		return err
	}
	if m.Verify, err = h.AskVerified(r, "you send forms or invite others"); err != nil {
		return err
	}
	told, err := h.People.Of(r.Context(), p.ID)
	if err != nil {
		return err
	}
	two, err := h.Accounts.TwoStepOf(r.Context(), p.ID)
	if err != nil {
		return err
	}
	m.Email, m.TwoStep, m.Here, m.Zone = p.Email, two, p.Session, told.Zone
	if at := slices.IndexFunc(m.Devices, func(d account.Device) bool { return d.Handle == m.Here }); at > 0 {
		here := m.Devices[at]
		m.Devices = slices.Insert(slices.Delete(m.Devices, at, at+1), 0, here)
	}
	return web.Render(w, r, status, view.ProfilePage(m), view.Panel)
}
