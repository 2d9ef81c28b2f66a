package desk

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"forecourt/handlers/web"
	"forecourt/internal/fault"
	"forecourt/internal/shop"
	view "forecourt/views/desk"
)

// ShowMember answers GET /desk/{client}/team/{account}: what can be changed about a member of the team.
func (h *Handler) ShowMember(w http.ResponseWriter, r *http.Request) error {
	return h.renderMember(w, r, http.StatusOK, "")
}

// ChangeMember answers POST /desk/{client}/team/{account}: it changes the member's role, removes the member, or transfers ownership.
func (h *Handler) ChangeMember(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	me := web.MemberOf(r)
	id, err := member(r)
	if err != nil {
		return err
	}
	ctx, code, do := r.Context(), me.Shop.Code, r.PostForm.Get("do")
	switch do {
	case "role":
		err = h.Team.SetRole(ctx, me.Person, code, id, shop.Role(r.PostForm.Get("role")))
	case "remove":
		err = h.Team.Remove(ctx, me.Person, code, id)
	case "transfer":
		err = h.Team.Transfer(ctx, me.Person, code, id)
	default:
		return fault.New(fault.Invalid, "unknown button")
	}
	switch {
	case errors.Is(err, shop.ErrLastOwner):
		return h.renderMember(w, r, http.StatusConflict, view.LastOwner)
	case err != nil:
		return err
	case id == me.Person.ID: // a former member may not see the team
		return web.Redirect(w, r, Path)
	}
	return web.Redirect(w, r, address(r, "team")+"?done="+do)
}

func (h *Handler) renderMember(w http.ResponseWriter, r *http.Request, status int, notice string) error {
	me := web.MemberOf(r)
	id, err := member(r)
	if err != nil {
		return err
	}
	members, err := h.Team.Members(r.Context(), me.Shop.Code)
	if err != nil {
		return err
	}
	for _, one := range members {
		if one.ID != id {
			continue
		}
		if id != me.Person.ID && !me.Role.MayManage(one.Role) {
			return shop.ErrRole
		}
		m := view.MemberOf(me.Role, me.Person.ID, one, me.Shop.Zone())
		m.Frame, m.TeamURL, m.URL, m.Notice = frame(r, m.Name), address(r, "team"), address(r, "team/"+id.String()), notice
		return web.Render(w, r, status, view.MemberPage(m))
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
