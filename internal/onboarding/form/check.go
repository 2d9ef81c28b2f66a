package form

import (
	"strconv"
	"unicode/utf8"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/mailaddr"
	"forecourt/internal/kit/printable"
)

// Step is the answer to one step. Its fields are as typed; saving trims them.
type Step interface {
	// Check returns what keeps the form from continuing, by FieldID. entity is the type of the business.
	Check(entity string) fault.Problems
	// tidy trims what was typed.
	tidy()
	// drop removes rows that nobody filled in.
	drop()
	// kept adds the values that are too long or too many even for a draft.
	kept(f findings)
	// apply writes the step into the form.
	apply(d *Data)
}

// FieldID names a field, by the specification's entity, in a row that counts from 0: "first", "first-2".
func FieldID(field string, row int) string {
	if row == 0 {
		return field
	}
	return field + "-" + strconv.Itoa(row+1)
}

// The most that a form keeps.
const (
	MaxContacts = 10
	MaxPeople   = 50
	maxName     = 100
	maxEmail    = mailaddr.MostBytes
	maxBusiness = 200
)

// notOnList is the problem of a choice that the page does not offer.
const notOnList = "Choose one from the list"

// findings collects problems, the first of each field.
type findings fault.Problems

func (f findings) add(field string, row int, text string) {
	if id := FieldID(field, row); f[id] == "" {
		f[id] = text
	}
}

// text adds tooLong if a value has more than most characters, and another problem for unprintable ones or a card number.
func (f findings) text(field string, row int, value string, most int, tooLong string) {
	switch {
	case utf8.RuneCountInString(value) > most:
		f.add(field, row, tooLong)
	case !printable.Lines(value, most), card.HoldsCard(value):
		f.add(field, row, "This contains characters that we cannot store, or what looks like a card number. Please type it again")
	}
}
