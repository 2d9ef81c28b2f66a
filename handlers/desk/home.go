package desk

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
	"forecourt/views/ui"
)

// ShowHome answers GET /desk/{client}.
func (h *Handler) ShowHome(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
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
	number := 0
	for _, item := range p.Checklist() {
		one := view.ItemOf(p, item, stepURL(m, p, item.Step), m.Person.Email)
		if item.Step.Needed() {
			number++
			one.Number = number
		}
		worded = append(worded, one)
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

// ShowToday answers GET /desk/{client}/today with the shop's day so far. The first page of the desk shows the same and refreshes it from
// here.
func (h *Handler) ShowToday(w http.ResponseWriter, r *http.Request) error {
	m, err := h.today(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.TodayPage(m), view.TodayFragment)
}

// today returns the day of the shop of a request.
func (h *Handler) today(r *http.Request) (m view.Today, err error) {
	member := session.MemberOf(r)
	day, err := h.Books.Today(r.Context(), member.Shop, testPage(r), time.Now())
	hours, _ := clock.ParseHours(member.Shop.Hours) // the desk accepts only valid hours
	m = view.Today{Frame: Frame(r, "Today"), Day: day, Hours: hours}
	if member.May(shop.Kitchen) {
		m.KitchenURL = "/pos/" + member.Shop.Code + "/kitchen"
	}
	return m, err
}

// ShowShops answers GET /desk: the businesses of a person, and their merchants without one.
func (h *Handler) ShowShops(w http.ResponseWriter, r *http.Request) error {
	person, _ := session.Signed(r)
	mine, err := h.Shops.Of(r.Context(), person.ID)
	if err != nil {
		return err
	}
	ready, err := h.Shops.Ready(r.Context(), person.ID)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, view.ShopsPage(mine, ready, unconfirmed(person)))
}

// unconfirmed returns the address of a person who has not confirmed it, and else "".
func unconfirmed(p account.Person) string {
	if p.Verified {
		return ""
	}
	return p.Email
}

// ShowLive answers GET /desk/{client}/live.
func (h *Handler) ShowLive(w http.ResponseWriter, r *http.Request) error {
	return h.renderLive(w, r, http.StatusOK, view.Live{})
}

// ChangeLive answers POST /desk/{client}/live: an owner asks to go live, or switches.
func (h *Handler) ChangeLive(w http.ResponseWriter, r *http.Request) error {
	m, do := session.MemberOf(r), r.PostForm.Get("do")
	if do != "test" { // back to test mode at once
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
	case "live", "test":
		err = h.GoLive.Switch(r.Context(), m.Person, m.Shop.Code, do == "live")
	default:
		err = fault.New(fault.Invalid, "unknown button")
	}
	switch {
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
	m.Owner, m.Reader, m.Items = member.May(shop.Own), member.Person.Email, items(member, m.Progress)
	if r.Method != http.MethodPost {
		m.Done = liveDone(r.URL.Query().Get("done"), m.Progress)
	}
	return web.Render(w, r, status, view.LivePage(Frame(r, view.LiveTab(member.Shop.Live)), m))
}

// liveDone confirms what was done, but only if it is still true, because anybody can write a link.
func liveDone(what string, p golive.Progress) string {
	if what == "live" && !p.Live || what == "test" && p.Live || what == "ask" &&
		p.Request != golive.Asked || what == "use" && p.Record == "" {
		return ""
	}
	return view.LiveDone(what)
}
