package desk

import (
	"errors"
	"net/http"
	"slices"

	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/run/push"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/notice"
	view "forecourt/views/desk"
)

// ShowNotices answers GET /desk/{client}/notices: the events that the member hears about.
func (h *Handler) ShowNotices(w http.ResponseWriter, r *http.Request) error {
	return h.renderNotices(w, r, http.StatusOK, "")
}

// ChangeNotices answers POST /desk/{client}/notices: it saves the member's choices, adds this browser by the token of its registration, or
// stops the messages in all browsers. A script that adds a browser gets no page back.
func (h *Handler) ChangeNotices(w http.ResponseWriter, r *http.Request) error {
	member := session.MemberOf(r)
	switch r.PostForm.Get("do") {
	case "browser":
		token := r.PostForm.Get("token")
		err := h.Notices.AddBrowser(r.Context(), member.Person.ID, token)
		if errors.Is(err, notice.ErrNoBrowser) {
			return h.renderNotices(w, r, http.StatusConflict, "This browser could not be added. You can have notifications in ten browsers at most.")
		}
		if err != nil {
			return err
		}
		h.Sessions.SetNotices(w, push.KeyOf(token))
		if r.Header.Get("Prefer") == "return=minimal" {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		return web.Redirect(w, r, address(r, "notices")+"?done=browser")
	case "quiet":
		if err := h.Notices.DropBrowsers(r.Context(), member.Person.ID); err != nil {
			return err
		}
		return web.Redirect(w, r, address(r, "notices")+"?done=quiet")
	}
	project, _ := h.Notices.Push()
	was, _, err := h.Notices.Choices(r.Context(), member.Shop.Code, member.Person.ID, member.Role)
	if err != nil {
		return err
	}
	choices := map[notice.Kind]notice.Choice{}
	for _, kind := range notice.Told(member.Shop, member.Role) {
		choice := notice.Choice{
			Mail: slices.Contains(r.PostForm[view.MailField], string(kind)),
			Push: slices.Contains(r.PostForm[view.PushField], string(kind)),
		}
		if project == "" { // push is off, and the form has no such column
			choice.Push = was[kind].Push
		}
		choices[kind] = choice
	}
	if err := h.Notices.Choose(r.Context(), member.Shop.Code, member.Person.ID, choices); err != nil {
		return err
	}
	return web.Redirect(w, r, address(r, "notices")+"?done=saved")
}

// noticesDone confirms what a member just did.
var noticesDone = map[string]string{
	"saved": "Saved.", "browser": "Notifications are on in this browser.", "quiet": "Notifications are off in all browsers.",
}

func (h *Handler) renderNotices(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	member := session.MemberOf(r)
	person, _ := session.Signed(r)
	choices, browsers, err := h.Notices.Choices(r.Context(), member.Shop.Code, member.Person.ID, member.Role)
	if err != nil {
		return err
	}
	m := view.Notices{
		Frame: Frame(r, "Notices"), Kinds: notice.Told(member.Shop, member.Role), Choices: choices, Mail: member.Person.Email,
		Verified: person.Verified, Browsers: browsers, Problem: problem,
	}
	m.Project, m.Key = h.Notices.Push()
	if r.Method == http.MethodGet {
		m.Done = noticesDone[r.URL.Query().Get("done")]
	}
	return web.Render(w, r, status, view.NoticesPage(m))
}

// NoteMessage returns the message that tells a team member what happened to the business. It leads to the desk.
func NoteMessage(n push.Note) push.Message {
	words := view.NoticeWords(state.Event(n.Event), n.Count, money.Label(n.Amount, n.Currency))
	if n.Kind == string(notice.Summary) {
		taken, back := []books.Money{{Minor: n.Amount, Currency: n.Currency}}, []books.Money{{Minor: n.Refunded, Currency: n.Currency}}
		for _, o := range n.Others {
			taken = append(taken, books.Money{Minor: o.Amount, Currency: o.Currency})
			back = append(back, books.Money{Minor: o.Refunded, Currency: o.Currency})
		}
		words = view.SummaryWords(n.Day, n.Count, view.Amounts(taken), n.Refunds, view.Amounts(back))
	}
	title := words.Title + " at " + printable.Isolated(n.Business)
	if n.Test {
		title = "Test: " + title
	}
	return push.Message{
		Data:         push.Data{Loc: n.Kind, URL: Path + "/" + n.Shop},
		Notification: push.Notification{Title: title, Body: words.Text},
	}
}
