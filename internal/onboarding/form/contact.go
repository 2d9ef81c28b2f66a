package form

import (
	"slices"
	"strings"

	"forecourt/internal/kit/mailaddr"
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

// Check requires a complete first contact; the others only need a valid address, if any (FORM-24 to FORM-27).
func (s *PrimaryContact) Check(string) []Problem {
	var f findings
	for i, c := range s.Contacts {
		if i == 0 && strings.TrimSpace(c.First) == "" {
			f.add("first", i, Missing)
		}
		if i == 0 && strings.TrimSpace(c.Last) == "" {
			f.add("last", i, Missing)
		}
		switch email := strings.TrimSpace(c.Email); {
		case email == "" && i == 0:
			f.add("email", i, Missing)
		case email != "" && !mailaddr.Valid(email):
			f.add("email", i, Bad)
		}
	}
	if len(s.Contacts) == 0 {
		f.add("first", 0, Missing)
	}
	return append(f, s.kept()...)
}

func (s *PrimaryContact) kept() []Problem {
	var f findings
	for i, c := range s.Contacts {
		f.text("first", i, c.First, maxName)
		f.text("last", i, c.Last, maxName)
		f.text("email", i, c.Email, maxEmail)
	}
	if len(s.Contacts) > MaxContacts {
		f.add("contacts", 0, TooMany)
	}
	return f
}

func (s *PrimaryContact) tidy() {
	s.Contacts = slices.Clone(s.Contacts)
	for i, c := range s.Contacts {
		s.Contacts[i] = Contact{
			First: strings.TrimSpace(c.First), Last: strings.TrimSpace(c.Last), Email: strings.TrimSpace(c.Email),
		}
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
