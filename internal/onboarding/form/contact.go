package form

import (
	"slices"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// PrimaryContact holds the people to contact; the first one is required (FORM-27).
type PrimaryContact struct {
	Contacts []Contact `json:"contacts"`
}

// Contact is a person with an address.
type Contact struct {
	First string `json:"first"`
	Last  string `json:"last"`
	Email string `json:"email"`
}

const noFirst = "Enter a first name"

// Check requires a complete first contact; the others only need a valid address, if any (FORM-24 to FORM-27).
func (s *PrimaryContact) Check(string) fault.Problems {
	f := findings{}
	for i, c := range s.Contacts {
		if i == 0 && c.First == "" {
			f.add("first", i, noFirst)
		}
		if i == 0 && c.Last == "" {
			f.add("last", i, "Enter a last name")
		}
		switch {
		case c.Email == "" && i == 0:
			f.add("email", i, "Enter an email address")
		case c.Email != "" && !typed.IsEmail(c.Email):
			f.add("email", i, "Enter an email address like name@example.com")
		}
	}
	if len(s.Contacts) == 0 {
		f.add("first", 0, noFirst)
	}
	s.kept(f)
	return fault.Problems(f)
}

func (s *PrimaryContact) kept(f findings) {
	for i, c := range s.Contacts {
		f.text("first", i, c.First, maxName, "Use at most 100 characters for the first name")
		f.text("last", i, c.Last, maxName, "Use at most 100 characters for the last name")
		f.text("email", i, c.Email, maxEmail, "Use at most 254 characters for the email address")
	}
	if len(s.Contacts) > MaxContacts {
		f.add("contacts", 0, "List at most 10 contacts")
	}
}

func (s *PrimaryContact) tidy() {
	s.Contacts = slices.Clone(s.Contacts)
	for i, c := range s.Contacts {
		s.Contacts[i] = Contact{First: typed.Line(c.First), Last: typed.Line(c.Last), Email: typed.Text(c.Email)}
	}
}

func (s *PrimaryContact) drop() {
	if len(s.Contacts) < 2 {
		return
	}
	more := slices.DeleteFunc(slices.Clone(s.Contacts[1:]), func(c Contact) bool { return c == Contact{} })
	s.Contacts = append(s.Contacts[:1:1], more...)
}

func (s *PrimaryContact) apply(d *Data) { d.PrimaryContact = *s }
