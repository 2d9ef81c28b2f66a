package forms

import (
	"net/url"
	"strings"

	"forecourt/internal/form"
	view "forecourt/views/forms"
	"forecourt/views/ui"
)

func contacts(b *builder, s *form.PrimaryContact) view.Contacts {
	m := view.Contacts{Full: len(s.Contacts) >= form.MaxContacts}
	rows := s.Contacts
	if len(rows) == 0 {
		rows = []form.Contact{{}}
	}
	for i, c := range rows {
		first := i == 0
		m.Rows = append(m.Rows, view.ContactRow{
			First: b.field(i, ui.Field{Name: "first", Label: "First name", Value: c.First, Autocomplete: own(first, "given-name"), Required: first}),
			Last:  b.field(i, ui.Field{Name: "last", Label: "Last name", Value: c.Last, Autocomplete: own(first, "family-name"), Required: first}),
			Email: b.field(i, ui.Field{
				Name: "email", Label: "Email", Type: "email", InputMode: "email", Value: c.Email, Autocomplete: own(first, "email"),
				Required: first,
			}),
		})
	}
	return m
}

// own returns token if the field is about the person in front of the browser, which may then fill it in.
func own(is bool, token string) string {
	if is {
		return token
	}
	return "off"
}

func readContacts(posted url.Values) *form.PrimaryContact {
	// At least one, and at most one more than allowed, so that the check can tell that there are too many.
	rows := min(max(len(posted["first"]), len(posted["last"]), len(posted["email"]), 1), form.MaxContacts+1)
	contacts := make([]form.Contact, rows)
	for i := range contacts {
		contacts[i] = form.Contact{First: at(posted["first"], i), Last: at(posted["last"], i), Email: at(posted["email"], i)}
	}
	return &form.PrimaryContact{Contacts: contacts}
}

// contactRows returns the answer as lines of text.
func contactRows(contacts []form.Contact) []view.Row {
	var all []view.Row
	for i, c := range contacts {
		all = append(all, view.Row{Name: view.ContactName(i), Values: given(strings.TrimSpace(c.First+" "+c.Last), c.Email)})
	}
	return all
}
