package form

import (
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/kit/printable"
)

// Step is the answer to one step. Its fields are as typed; saving trims them.
type Step interface {
	// Check lists what keeps the form from continuing, in the order of the fields. entity is the type of the business.
	Check(entity string) []Problem
	// tidy trims what was typed.
	tidy()
	// drop removes rows that nobody filled in.
	drop()
	// kept lists the values that are too long or too many even for a draft.
	kept() []Problem
	// apply writes the step into the form.
	apply(d *Data)
}

// Problem is what is wrong with a field. Row counts from 0 for fields that repeat.
type Problem struct {
	Field string // by the name of the specification's entity; "contacts" and "stakeHolders" for a list as a whole
	Row   int
	Code  Code
}

// Code says what is wrong.
type Code string

// The codes.
const (
	Missing     Code = "missing"
	Bad         Code = "bad"
	TooLong     Code = "too long"
	TooMany     Code = "too many"
	Unreadable  Code = "unreadable" // not printable text, or a card number
	NoRole      Code = "no role"
	NoDirector  Code = "no director"
	NoTrustee   Code = "no trustee"
	NoPerson    Code = "nobody"
	OnePartner  Code = "one partner"
	NotAddress  Code = "not an address" // not a web address
	NotOnList   Code = "not on the list"
	NothingHere Code = "nothing chosen"
)

// The most that a form keeps.
const (
	MaxContacts = 10
	MaxPeople   = 50
	maxName     = 100
	maxEmail    = mailaddr.MostBytes
	maxBusiness = 200
)

// findings collects problems.
type findings []Problem

func (f *findings) add(field string, row int, code Code) {
	*f = append(*f, Problem{Field: field, Row: row, Code: code})
}

// text adds a problem if a value has more than most characters, unprintable ones, or a card number among them.
func (f *findings) text(field string, row int, value string, most int) {
	switch {
	case utf8.RuneCountInString(value) > most:
		f.add(field, row, TooLong)
	case !printable.Lines(value, most), card.HoldsCard(value):
		f.add(field, row, Unreadable)
	}
}
