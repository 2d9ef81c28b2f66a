package desk

import (
	"errors"
	"math"
	"net/http"
	"net/url"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowTeam answers GET /desk/{client}/team.
func (h *Handler) ShowTeam(w http.ResponseWriter, r *http.Request) error {
	return h.renderTeam(w, r, http.StatusOK, view.Team{Invites: shop.Floor})
}

// ChangeTeam answers POST /desk/{client}/team: it invites somebody or withdraws an invitation.
func (h *Handler) ChangeTeam(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	m, email, role := session.MemberOf(r), r.PostForm.Get("email"), shop.Role(r.PostForm.Get("role"))
	switch r.PostForm.Get("do") {
	case "withdraw":
		if err := h.Shops.Withdraw(r.Context(), m.Person, m.Shop.Code, mailaddr.Normal(email)); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "team")+"?done=withdrawn")
	case "invite":
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	err := h.Shops.Invite(r.Context(), m.Person, m.Shop.Code, email, role)
	if err == nil {
		return web.Redirect(w, r, address(r, "team")+"?"+url.Values{"done": {"invited"}, "email": {mailaddr.Normal(email)}}.Encode())
	}
	form := view.Team{Email: email, Invites: role}
	var wait *throttle.Error
	switch {
	case errors.Is(err, shop.ErrEmail), errors.Is(err, shop.ErrOnTeam):
		form.EmailProblem = err.Error()
	case errors.Is(err, shop.ErrUnknownOwner):
		form.Notice = view.InviteUnproven
	case errors.Is(err, account.ErrUnverified):
		form.Notice = view.VerifyFirst
	case errors.As(err, &wait):
		form.Notice = view.TooManyInvites(account.InvitesPerDay, int(math.Ceil(wait.After.Hours())))
	default:
		return err
	}
	return h.renderTeam(w, r, http.StatusUnprocessableEntity, form)
}

func (h *Handler) renderTeam(w http.ResponseWriter, r *http.Request, status int, m view.Team) (err error) {
	me := session.MemberOf(r)
	m.Role, m.Me, m.Zone = me.Role, me.Person.ID, me.Shop.Zone()
	m.Members, err = h.Shops.Members(r.Context(), me.Shop.Code)
	if err != nil {
		return err
	}
	m.Invited, err = h.Shops.Invited(r.Context(), me.Shop.Code)
	if err != nil {
		return err
	}
	if r.Method != http.MethodPost {
		email := r.URL.Query().Get("email")
		if !mailaddr.Valid(email) {
			email = "" // anybody can write a link
		}
		m.Done = view.TeamDone(r.URL.Query().Get("done"), email)
	}
	return web.Render(w, r, status, view.TeamPage(frame(r, "Team"), m))
}
