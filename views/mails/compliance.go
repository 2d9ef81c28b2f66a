package mails

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/printable"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
)

// recordOpened asks somebody who runs a business to sign the agreement and to prove who is behind it. It names nobody: the page does,
// to those who may see it.
func (l Letters) recordOpened(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[compliance.OpenedLetter](data)
	if err != nil {
		return nil, err
	}
	queries := db.New(tx)
	row, err := queries.ComplianceGet(ctx, order.ID)
	if err != nil {
		return nil, gone(err)
	}
	people, err := queries.CompliancePersonList(ctx, order.ID)
	if err != nil {
		return nil, err
	}
	who := "each of the " + strconv.Itoa(len(people)) + " people behind the business"
	if len(people) == 1 {
		who = "the person behind the business"
	}
	business := printable.Unlinked(row.Compliance.Name, receipt.MostBusiness)
	return note(ctx, order.To, Note{
		Sender:  l.provider("You are receiving this email because you look after the compliance details of a business."),
		Subject: "Two things to do for " + business, Heading: "Two things to do for " + business,
		Lines: []string{
			"Before " + business + " can take real payments, we need two things from you:",
			"1. Sign the direct debit agreement. Have the BSB and the account number at hand.",
			"2. Identify " + who + ": home address, date of birth, and photos of both sides of a driver licence, as the page asks.",
		},
		Button: &Button{Label: "Sign and identify", URL: l.page("compliance", order.ID)},
		After:  []string{"What you enter is saved as you go. You can stop and come back at any time."},
	})
}

// agreementSigned sends a copy of the agreement to the person who signed it. The account is masked, because others may read mail on its
// way.
func (l Letters) agreementSigned(ctx context.Context, tx pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[compliance.SignedLetter](data)
	if err != nil {
		return nil, err
	}
	signature, file, err := l.Compliance.SignedCopy(ctx, db.New(tx), order.ID)
	if signature == nil || err != nil {
		return nil, err
	}
	letter, err := note(ctx, order.To, Note{
		Sender:  l.provider("You are receiving this email because somebody signed a direct debit agreement with your account."),
		Subject: "Your direct debit agreement", Heading: "Your direct debit agreement",
		Lines: []string{
			"You signed the Direct Debit Request Service Agreement. A copy is attached to this email: please keep " +
				"it. It shows only the end of your BSB and account number.",
		},
		Facts: []Fact{
			{Name: "BSB", Value: signature.Account.BSB}, {Name: "Account number", Value: signature.Account.Number},
			{Name: "Signed", Value: clock.Text(signature.At, signature.At.Location())},
		},
		Button: &Button{Label: "Continue your application", URL: l.page("compliance", order.ID)},
		After:  []string{"If you did not sign it, please tell us at once, using the contact details in the copy."},
	})
	if letter != nil {
		letter.File = &mail.File{Name: "direct-debit-agreement.pdf", Content: file}
	}
	return letter, err
}

// identityDecided says what staff decided about a person, by the first name and the initial of the last one: letters are stored
// readable, and whole names of people are not.
func (l Letters) identityDecided(ctx context.Context, _ pgx.Tx, data json.RawMessage) (*mail.Letter, error) {
	order, err := read[compliance.DecidedLetter](data)
	if err != nil {
		return nil, err
	}
	record, err := l.Compliance.Look(ctx, order.ID)
	if err != nil {
		return nil, err
	}
	person, err := record.Person(order.Number)
	if err != nil {
		return nil, err
	}
	name := printable.Unlinked(shortened(person.Name), receipt.MostBusiness)
	address := l.Public.JoinPath("compliance", order.ID)
	address.RawQuery = "person=" + strconv.Itoa(order.Number)
	n := Note{
		Sender:  l.provider("You are receiving this email because you look after the compliance details of a business."),
		Subject: "Identity details accepted", Heading: "We accepted the identity details",
		Lines:  []string{"The identity details of " + name + " are accepted. There is nothing more to do for this person."},
		Button: &Button{Label: "See its status", URL: address.String()},
	}
	if person.Account != uuid.Nil && record.Client != "" && order.State == state.PersonAccepted {
		n.Lines = []string{
			"The identity details of " + name + " are accepted. You can now transfer the business, or make " + name + " an owner beside you.",
		}
		n.Button = &Button{
			Label: "Go on with " + name, URL: l.Public.JoinPath("desk", record.Client, "team", person.Account.String()).String(),
		}
	}
	if order.State == state.PersonReturned {
		n.Subject, n.Heading = "We need a little more for your application", "We need a little more"
		n.Lines = []string{"We looked at the identity details of " + name + " and ask for this:"}
		n.Button.Label = "Change the details"
	}
	if order.Reason != "" {
		n.Lines = append(n.Lines, order.Reason)
	}
	return note(ctx, order.To, n)
}

// shortened keeps the first word of a name and the initial of the last: "Alex C.".
func shortened(name string) string {
	words := strings.Fields(name)
	if len(words) < 2 {
		return name
	}
	initial, _ := utf8.DecodeRuneInString(words[len(words)-1])
	return words[0] + " " + string(unicode.ToUpper(initial)) + "."
}
