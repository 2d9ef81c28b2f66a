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
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/paylink"
	"forecourt/internal/shop/shop"
	view "forecourt/views/desk"
)

// ShowNewLink answers GET /desk/{client}/links/new.
func (h *Handler) ShowNewLink(w http.ResponseWriter, r *http.Request) error {
	one := session.MemberOf(r).Shop
	return web.Render(w, r, http.StatusOK, view.NewLinkPage(
		Frame(r, "New pay link"), one, url.Values{"key": {rand.Text()}, "mail": {one.Mail}}, nil))
}

// MakeLink answers POST /desk/{client}/links/new. Posting the same form again leads to the same link.
func (h *Handler) MakeLink(w http.ResponseWriter, r *http.Request) error {
	member, given := session.MemberOf(r), only(r.PostForm, "key", "amount", "description", "reference", "expires", "to", "mail")
	link, problems := readLink(member.Shop, given)
	id, made, broken := "", false, link.Texts() // a card number is not shown again, and the page says why
	if len(problems) == 0 {
		var err error
		id, made, err = h.Links.Make(r.Context(), member.Person, member.Shop, link)
		if broken = nil; err != nil && !errors.As(err, &broken) {
			return err
		}
	}
	for _, p := range broken {
		refuse(problems, p)
	}
	if len(problems) > 0 {
		return web.Render(w, r, http.StatusUnprocessableEntity, view.NewLinkPage(Frame(r, "New pay link"), member.Shop, given, problems))
	}
	query := "?done=made"
	if to := given.Get("to"); to != "" && made { // a form that was sent twice mails once
		sent, err := h.send(r, id, to)
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

// The words of the form where they differ from those for programs.
const (
	badMail   = "Enter an email address like name@example.com."
	noAmount  = "Enter an amount above zero."
	pastDay   = "Enter today or a later day."
	badDay    = "Enter a day like 2027-01-31."
	badAmount = "The amount has to be written like 12.50, from 0.01 to 999999.99."
)

// readLink reads the form. The rules of pay links check the values.
func readLink(one shop.Shop, given url.Values) (paylink.Wanted, fault.Problems) {
	problems := fault.Problems{}
	link := paylink.Wanted{
		ID: given.Get("key"), Shop: one.Code, Description: given.Get("description"),
		Reference: given.Get("reference"), ReceiptMail: typed.Email(given.Get("mail")),
	}
	var err error
	if link.Amount, err = typed.Amount(given.Get("amount"), one.Currency); given.Get("amount") == "" {
		problems["amount"] = noAmount
	} else if err != nil {
		problems["amount"] = badAmount
	} else if link.Amount < 1 {
		problems["amount"] = noAmount
	}
	if link.Expires, err = paylink.ParseExpiry(given.Get("expires")); err != nil {
		problems["expires"] = badDay
	} else if link.Expires.Over(one.Zone(), time.Now()) {
		problems["expires"] = pastDay
	}
	if to := given.Get("to"); to != "" && !typed.IsEmail(typed.Email(to)) {
		problems["to"] = badMail
	}
	return link, problems
}

// refuse adds a problem of the rule to those of the form, unless the field has one.
func refuse(problems fault.Problems, p paylink.Problem) {
	field, words := p.Field, strings.ToUpper(p.Reason[:1])+p.Reason[1:]+"."
	switch p.Field {
	case "receipt mail":
		field, words = "mail", badMail
	case "expires":
		words = pastDay
	}
	if problems[field] == "" {
		problems[field] = words
	}
}

const (
	mostFile  = 8 << 20  // bytes of a table
	mostTyped = 48 << 10 // bytes of a table or menu that the page can show again in its field
)

// ShowManyLinks answers GET /desk/{client}/links/many: a form that takes a table of pay links.
func (h *Handler) ShowManyLinks(w http.ResponseWriter, r *http.Request) error {
	return renderManyLinks(w, r, http.StatusOK, view.ManyLinks{Key: rand.Text()})
}

// MakeManyLinks answers POST /desk/{client}/links/many with a file or a text. It makes all links of the table or none. Posting the same
// form again leads to the same links.
func (h *Handler) MakeManyLinks(w http.ResponseWriter, r *http.Request) error {
	leave, err := h.Uploads.Admit(w, r, session.Who(r).ID.String())
	if err != nil {
		return err
	}
	defer leave()
	u, err := web.ParseUpload(w, r, mostFile)
	if err != nil {
		return err
	}
	m := view.ManyLinks{Key: u.Values.Get("key"), Text: u.Values.Get("rows")}
	if !order.ValidKey(m.Key) {
		m.Key = rand.Text()
	}
	table := []byte(m.Text)
	if file := u.Files["file"]; len(file) > 0 {
		table = file
		if m.Text = ""; len(file) <= mostTyped {
			text, _, _ := printable.Decode(file) // ReadCSV refuses it for the same reason
			m.Text = string(text)
		}
	}
	if u.Cut || u.Large["file"] {
		m.Problem = view.TableTooLarge
		return renderManyLinks(w, r, http.StatusRequestEntityTooLarge, m)
	}
	rows, err := paylink.ReadCSV(table)
	id := ""
	if err == nil {
		member := session.MemberOf(r)
		id, err = h.Links.MakeMany(r.Context(), member.Person, member.Shop, m.Key, rows)
	}
	var problems paylink.Problems
	switch {
	case err == nil:
		return web.Redirect(w, r, address(r, "links")+"?batch="+url.QueryEscape(id))
	case errors.As(err, &problems):
		m.Problem, m.Rows = problems.Refused(), problems
	case errors.Is(err, paylink.ErrEmpty), len(table) == 0:
		m.Problem = view.TableEmpty
	case printable.IsUnread(err):
		m.Problem = err.Error()
	case errors.Is(err, paylink.ErrHeading):
		m.Problem = view.TableHeading
	case errors.Is(err, paylink.ErrTooMany):
		m.Problem = view.TableTooMany
	case errors.Is(err, paylink.ErrTestLinks):
		m.Problem = err.Error()
		return renderManyLinks(w, r, http.StatusTooManyRequests, m)
	case errors.Is(err, paylink.ErrKeyUsed):
		m.Key, m.Problem = rand.Text(), view.TableAgain
	default:
		return err
	}
	return renderManyLinks(w, r, http.StatusUnprocessableEntity, m)
}

func renderManyLinks(w http.ResponseWriter, r *http.Request, status int, m view.ManyLinks) error {
	return web.Render(w, r, status, view.ManyLinksPage(Frame(r, "Many pay links"), session.MemberOf(r).Shop.Currency, m))
}
