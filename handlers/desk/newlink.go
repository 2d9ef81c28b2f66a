package desk

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowNewLink answers GET /desk/{client}/links/new.
func (h *Handler) ShowNewLink(w http.ResponseWriter, r *http.Request) error {
	return h.renderNewLink(w, r, http.StatusOK, view.LinkTyped{Key: rand.Text(), ReceiptMail: session.MemberOf(r).Shop.Mail}, nil)
}

// MakeLink answers POST /desk/{client}/links/new. Posting the same form again leads to the same link.
func (h *Handler) MakeLink(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	member, form := session.MemberOf(r), r.PostForm
	typed := view.LinkTyped{
		Key: form.Get("key"), Amount: strings.TrimSpace(form.Get("amount")),
		Description: oneLine(form.Get("description")), Reference: oneLine(form.Get("reference")),
		Expires: strings.TrimSpace(form.Get("expires")), To: strings.TrimSpace(form.Get("to")), ReceiptMail: strings.TrimSpace(form.Get("mail")),
	}
	link, problems := readLink(member.Shop, typed)
	var id string
	var made bool
	if len(problems) == 0 {
		var err error
		id, made, err = h.Links.Make(r.Context(), member.Person, member.Shop, link)
		var broken paylink.Problems
		if err != nil && !errors.As(err, &broken) {
			return err
		}
		problems = worded(broken)
	} else {
		problems = append(problems, worded(link.Texts())...) // a card number is not shown again, and the page says why
	}
	if len(problems) > 0 {
		return h.renderNewLink(w, r, http.StatusUnprocessableEntity, typed, problems)
	}
	query := "?done=made"
	if typed.To != "" && made { // a form that was sent twice mails once
		sent, err := h.send(r, id, typed.To)
		if err != nil {
			return err
		}
		query += "-" + sent.done
		if sent.hours > 0 {
			query += "&hours=" + strconv.Itoa(sent.hours)
		}
	}
	return web.Redirect(w, r, address(r, "links/"+url.PathEscape(id))+query)
}

func worded(broken paylink.Problems) (problems []view.LinkProblem) {
	for _, p := range broken {
		problems = append(problems, view.LinkProblem{Field: p.Field, What: string(p.Problem)})
	}
	return problems
}

// readLink reads the form. The rules of pay links check the values.
func readLink(one shop.Shop, typed view.LinkTyped) (paylink.Wanted, []view.LinkProblem) {
	var problems []view.LinkProblem
	add := func(field, what string) { problems = append(problems, view.LinkProblem{Field: field, What: what}) }
	var err error
	link := paylink.Wanted{
		ID: typed.Key, Client: one.Code, Description: typed.Description,
		Reference: typed.Reference, ReceiptMail: mailaddr.Normal(typed.ReceiptMail),
	}
	if typed.Amount == "" {
		add("amount", string(paylink.Missing))
	} else if link.Amount, err = money.Typed(typed.Amount, one.Currency); err != nil {
		add("amount", "bad")
	}
	if link.Expires, err = paylink.ParseExpiry(typed.Expires); err != nil {
		add("expires", "bad")
	} else if link.Expires.Over(one.Zone(), time.Now()) {
		add("expires", string(paylink.Past))
	}
	if typed.To != "" && !mailaddr.Valid(mailaddr.Normal(typed.To)) {
		add("to", "bad")
	}
	return link, problems
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (h *Handler) renderNewLink(
	w http.ResponseWriter, r *http.Request, status int, typed view.LinkTyped, problems []view.LinkProblem,
) error {
	one := session.MemberOf(r).Shop
	m := view.NewLinkOf(one, typed, problems)
	m.Frame, m.Back, m.URL = frame(r, "New pay link"), address(r, "links"), address(r, "links/new")
	return web.Render(w, r, status, view.NewLinkPage(m))
}
