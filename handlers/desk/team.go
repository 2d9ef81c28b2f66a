package desk

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/onboarding/compliance"
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
	m, email, role := session.MemberOf(r), r.PostForm.Get("email"), shop.Role(r.PostForm.Get("role"))
	switch r.PostForm.Get("do") {
	case "withdraw":
		if err := h.Shops.Withdraw(r.Context(), m.Person, m.Shop.Code, typed.Email(email)); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "team")+"?done=withdrawn")
	case "invite":
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	err := h.Shops.Invite(r.Context(), m.Person, m.Shop.Code, email, role)
	if err == nil {
		return web.Redirect(w, r, address(r, "team")+"?"+url.Values{"done": {"invited"}, "email": {typed.Email(email)}}.Encode())
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
	m.Shop, m.Role, m.Me, m.Zone = me.Shop, me.Role, me.Person.ID, me.Shop.Zone()
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
		if !typed.IsEmail(email) {
			email = "" // anybody can write a link
		}
		m.Done = view.TeamDone(r.URL.Query().Get("done"), email)
	}
	return web.Render(w, r, status, view.TeamPage(Frame(r, "Team"), m))
}

// ShowMember answers GET /desk/{client}/team/{account}: what can be changed about a member of the team.
func (h *Handler) ShowMember(w http.ResponseWriter, r *http.Request) error {
	return h.renderMember(w, r, http.StatusOK, view.Member{})
}

// ChangeMember answers POST /desk/{client}/team/{account}: it changes the member's role, removes the member, transfers ownership,
// or asks who a new owner is.
func (h *Handler) ChangeMember(w http.ResponseWriter, r *http.Request) error {
	me := session.MemberOf(r)
	id, err := member(r)
	if err != nil {
		return err
	}
	ctx, code, do := r.Context(), me.Shop.Code, r.PostForm.Get("do")
	switch do {
	case "role":
		err = h.Shops.SetRole(ctx, me.Person, code, id, shop.Role(r.PostForm.Get("role")))
	case "remove":
		err = h.Shops.Remove(ctx, me.Person, code, id)
	case "transfer":
		err = h.Shops.Transfer(ctx, me.Person, code, id)
	case "prove":
		return h.prove(w, r, id)
	case "unprove":
		if err := h.Shops.DropProof(ctx, me.Person, code, id); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "team/"+id.String()))
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	switch {
	case errors.Is(err, shop.ErrLastOwner), errors.Is(err, shop.ErrLastKnown), errors.Is(err, shop.ErrUnknownOwner):
		return h.renderMember(w, r, http.StatusConflict, view.Member{Notice: err.Error()})
	case err != nil:
		return err
	case id == me.Person.ID: // a former member may not see the team
		return web.Redirect(w, r, Path)
	}
	return web.Redirect(w, r, address(r, "team")+"?done="+do)
}

// prove adds a member who is to own the business to the people who prove who they are, and leads there.
func (h *Handler) prove(w http.ResponseWriter, r *http.Request, id uuid.UUID) error {
	me := session.MemberOf(r)
	if !me.Role.May(shop.Own) {
		return shop.ErrRole
	}
	name := typed.OneLine(r.PostForm.Get("name"), compliance.MaxName)
	if name == "" {
		return h.renderMember(w, r, http.StatusUnprocessableEntity, view.Member{NoName: "Enter the full name, as on the driver licence"})
	}
	asked, err := h.Records.AskSuccessor(r.Context(), me.Person, me.Shop.Code, id, name)
	switch {
	case errors.Is(err, compliance.ErrMissing):
		return h.renderMember(w, r, http.StatusConflict, view.Member{
			Notice: "You do not run the compliance record of this business. Ask the owner who signed the agreement to do this.",
		})
	case err != nil:
		return err
	case asked.MayOwn():
		return web.Redirect(w, r, address(r, "team/"+id.String()))
	}
	return web.Redirect(w, r, view.ProofURL(asked))
}

func (h *Handler) renderMember(w http.ResponseWriter, r *http.Request, status int, m view.Member) error {
	me := session.MemberOf(r)
	id, err := member(r)
	if err != nil {
		return err
	}
	members, err := h.Shops.Members(r.Context(), me.Shop.Code)
	if err != nil {
		return err
	}
	for _, one := range members {
		if one.ID != id {
			continue
		}
		if id != me.Person.ID && !me.Role.MayManage(shop.Role(one.Role)) {
			return shop.ErrRole
		}
		m.Member, m.By, m.You, m.Zone = one, me.Role, one.ID == me.Person.ID, me.Shop.Zone()
		if m.Owned() {
			if m.Proof, err = h.Shops.Proof(r.Context(), me.Shop.Code, id); err != nil {
				return err
			}
		}
		return web.Render(w, r, status, view.MemberPage(Frame(r, cmp.Or(one.Name, one.Email)), m))
	}
	return shop.ErrNoMember
}

func member(r *http.Request) (uuid.UUID, error) {
	id, err := uuid.Parse(chi.URLParam(r, "account"))
	if err != nil {
		return id, shop.ErrNoMember
	}
	return id, nil
}

// ShowAccess answers GET /desk/{client}/team/access?before=NUMBER and lists when the provider's staff looked at this desk.
func (h *Handler) ShowAccess(w http.ResponseWriter, r *http.Request) error {
	before, err := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64)
	if err != nil {
		before = 0
	}
	one, next := session.MemberOf(r).Shop, ""
	list, more, err := h.Shops.Looks(r.Context(), one.Code, before)
	if err != nil {
		return err
	}
	if more {
		next = address(r, "team/access") + "?before=" + strconv.FormatInt(list[len(list)-1].ID, 10)
	}
	return web.Render(w, r, http.StatusOK, view.AccessPage(Frame(r, "Access by our staff"), list, one.Zone(), next, before > 0))
}
