package account

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/jackc/pgx/v5"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
	view "forecourt/views/account"
	"forecourt/views/ui"
)

// ShowJoin answers GET /join/{token}, the mailed invitation to a business's team. Opening it changes nothing, because programs open the
// links in mails, too.
func (h *Handler) ShowJoin(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	invite, err := h.Shops.FindInvite(r.Context(), token(r))
	if err != nil {
		return staleInvite(w, r, invite, err)
	}
	return web.Render(w, r, http.StatusOK, view.JoinPage(h.join(r, invite, view.JoinFields())))
}

// Join answers POST /join/{token} and adds the invited person to the team. A person without an account makes one here.
func (h *Handler) Join(w http.ResponseWriter, r *http.Request) error {
	web.SecretAddress(w)
	if err := web.ParseForm(r); err != nil {
		return err
	}
	invite, err := h.Shops.FindInvite(r.Context(), token(r))
	if err != nil {
		return staleInvite(w, r, invite, err)
	}
	m := h.join(r, invite, view.JoinFields())
	m.Fields[0].Value = r.PostForm.Get("name")
	person, signed := session.Signed(r)
	switch {
	case signed && person.Email == invite.Email:
		err = h.Shops.Join(r.Context(), session.Who(r), token(r))
	case signed, invite.Account:
		return web.Render(w, r, http.StatusUnprocessableEntity, view.JoinPage(m))
	default:
		err = h.joinNew(w, r, invite)
	}
	if err == nil {
		return web.Leave(w, r, "/desk/"+invite.ShopCode)
	}
	if errors.Is(err, shop.ErrInvite) || errors.Is(err, account.ErrTaken) { // another request came first: show the result
		return h.ShowJoin(w, r)
	}
	return h.again(w, r, m.Form, err, func(f view.Form) templ.Component {
		m.Form = f
		return view.JoinPage(m)
	})
}

// joinNew makes the invited person's account, adds it to the team and signs it in.
func (h *Handler) joinNew(w http.ResponseWriter, r *http.Request, invite shop.Invitation) error {
	typed := h.credentials(r)
	typed.Email = invite.Email
	user, err := h.Accounts.MakeBy(r.Context(), account.NewUser{
		Credentials: typed, Confirm: secret.New(r.PostForm.Get("confirm")), Name: r.PostForm.Get("name"), Verified: true,
	}, func(tx pgx.Tx, made account.User) error {
		return h.Shops.JoinIn(r.Context(), tx, shop.Person{ID: made.ID, Email: made.Email}, token(r))
	})
	if err != nil {
		return err
	}
	return h.start(w, r, user, "")
}

func (h *Handler) join(r *http.Request, invite shop.Invitation, fields []ui.Field) view.Join {
	person, _ := session.Signed(r)
	return view.Join{
		Form: view.Form{Email: invite.Email, Fields: fields}, Business: invite.Business, Role: shop.Role(invite.Role), You: person.Email,
		Account:   invite.Account,
		SignInURL: "/signin?" + url.Values{"to": {r.URL.Path}}.Encode(),
	}
}

// staleInvite answers a link that was used or no longer works.
func staleInvite(w http.ResponseWriter, r *http.Request, invite shop.Invitation, err error) error {
	switch {
	case errors.Is(err, shop.ErrInviteUsed):
		return web.Render(w, r, http.StatusGone, view.UsedJoinPage(invite.Business, "/desk/"+invite.ShopCode))
	case errors.Is(err, shop.ErrInvite):
		return web.Render(w, r, http.StatusGone, view.StaleJoinPage(account.InviteFor))
	}
	return err
}
