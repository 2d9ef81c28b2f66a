package desk

import (
	"net/http"
	"net/url"
	"slices"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// ShowHome answers GET /desk/{client}. An accountant begins with the exports.
func (h *Handler) ShowHome(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	if !member.May(shop.Day) && !member.Watching() {
		return web.Redirect(w, r, address(r, "exports"))
	}
	progress, err := h.GoLive.Progress(r.Context(), member.Shop)
	if err != nil {
		return err
	}
	m := view.Home{MenuURL: menuURL(member.Shop, progress), Waits: progress.Menu && !progress.Tested, Items: items(member, progress)}
	if person, signed := session.Signed(r); signed {
		m.Confirm = unconfirmed(person)
	}
	if !progress.Live && !member.Watching() {
		session.Preview{HTTPS: h.Public.Scheme == "https"}.Begin(w, member.Shop.Code)
	}
	if progress.Tested || member.Shop.EverLive() {
		day, err := h.today(r)
		if err != nil {
			return err
		}
		m.Today = &day
	}
	return web.Render(w, r, http.StatusOK, view.HomePage(Frame(r, "Home"), m), view.ChecklistFragment)
}

// items returns the checklist as a member sees it.
func items(m session.Member, p golive.Progress) (worded []view.Item) {
	for _, item := range p.Checklist() {
		worded = append(worded, view.ItemOf(p, item, stepURL(m, p, item.Step), m.Person.Email))
	}
	first := func(one view.Item) bool {
		return one.Stage == golive.Next && one.URL != "" && one.Step != golive.StepTables
	}
	if i := slices.IndexFunc(worded, first); i >= 0 {
		worded[i].First = true
	}
	return worded
}

// menuURL returns the address of the menu as a guest at the first table sees it.
func menuURL(one shop.Shop, p golive.Progress) string {
	return web.MenuURL(one.Code, p.FirstTable, "")
}

// stepURL returns the page of a step of the checklist, or "" if there is none that this member may open.
func stepURL(m session.Member, p golive.Progress, step golive.Step) string {
	at := ui.Desk{Code: m.Shop.Code}.At
	switch step {
	case golive.StepShop, golive.StepTables, golive.StepMenu:
		if m.May(shop.Edit) {
			return at(string(step))
		}
		if step == golive.StepMenu && p.Menu {
			return menuURL(m.Shop, p)
		}
	case golive.StepTestOrder:
		return menuURL(m.Shop, p)
	case golive.StepApplication:
		if m.May(shop.Own) && p.Application == form.Returned {
			return at("live#asked-title")
		}
		if m.May(shop.Own) && len(p.Usable) > 0 {
			return at("live#use-title")
		}
		if m.May(shop.Own) {
			return "/form/application"
		}
	case golive.StepAgreement, golive.StepIdentity:
		if slices.Contains(p.Runners, m.Person.Email) {
			return "/compliance/" + p.Record
		}
	case golive.StepAccount:
		return at("payouts/account")
	case golive.StepAddresses, golive.StepOwners:
		if m.May(shop.Hire) {
			return at("team")
		}
	case golive.StepTwoStep:
		if slices.Contains(p.Unsecured, m.Person.Email) {
			return session.TwoStepPage + "?" + url.Values{"to": {at("live")}}.Encode()
		}
	case golive.StepLive:
		return at("live")
	}
	return ""
}
