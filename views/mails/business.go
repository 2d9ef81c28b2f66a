package mails

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/form"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
	"forecourt/views/desk"
	formview "forecourt/views/forms"
)

// form confirms that a form arrived (FORM-51), or tells its sender what staff decided.
func (l Letters) form(ctx context.Context, queries *db.Queries, data form.LetterData) (Note, error) {
	row, err := queries.FormByReference(ctx, &data.Reference)
	n := Note{
		To: row.Email, Why: "a form was submitted from your account.",
		Subject: "We received your form " + data.Reference, Heading: "Thank you. We received your form",
		Lines:  []string{"A person reviews it now. We write to you when it is decided, or if we need anything else."},
		Facts:  []Fact{{Name: "Form", Value: formview.FormTitle(form.Kind(row.Form.Kind))}, {Name: "Reference", Value: data.Reference}},
		Button: &Button{Label: "See its status", URL: l.page("form", row.Form.Kind)},
	}
	if data.State != "" {
		n.Subject, n.Heading, n.Button.Label = formview.DecisionWords(data.State)
		n.Subject += " (" + data.Reference + ")"
		n.Lines = reasoned(nil, data.Reason)
	}
	return n, err
}

// reasoned adds the reason of a decision to the lines of a letter, if there is one.
func reasoned(lines []string, reason string) []string {
	if reason != "" {
		lines = append(lines, reason)
	}
	return lines
}

// goLive tells an owner what staff decided about going live, or that the business takes real payments.
func (l Letters) goLive(ctx context.Context, queries *db.Queries, data golive.Letter) (Note, error) {
	row, err := queries.ShopGet(ctx, data.Code)
	business := unlinked(row.Name)
	n := Note{
		To: data.To, Why: "you are an owner of the business.",
		Button: &Button{Label: "Open the page “Go live”", URL: l.page("desk", data.Code, "live")},
	}
	switch {
	case data.State == "":
		n.Subject, n.Heading = "You can take payments: "+business+" is live", "You can take payments"
		n.Lines = []string{
			business + " takes real payments now. Your codes on the tables and the addresses of your menu stay the same.",
			"Unpaid test orders have ended. If something is not right, an owner can go back to test mode at once.",
		}
		n.Button = &Button{Label: "Open your business", URL: l.page("desk", data.Code)}
	case data.State == golive.Approved:
		n.Subject = business + " may go live"
		n.Lines = []string{"We approved your request. " + business + " is still in test mode: switch to real payments when you are ready."}
		n.Button.Label = "Switch to real payments"
	case data.Ended:
		n.Subject = business + " is back in test mode"
		n.Lines = []string{
			"We took " + business + " back to test mode, so it no longer takes real payments. Payments " +
				"that were made stay as they are. This is why:",
		}
	default:
		n.Subject, n.Heading = "We need a little more before "+business+" goes live", "We need a little more"
		n.Lines = []string{"We looked at your request to take " + business + " live, and ask for this:"}
	}
	n.Lines = reasoned(n.Lines, data.Reason)
	return n, err
}

// joining asks a person to join others at a business.
func joining(to, by, business, url string, lines ...string) Note {
	return Note{
		To: to, Why: by + " invited this address.", Subject: "Join " + business, Lines: lines,
		Button: &Button{Label: "See the invitation", URL: url},
		After:  []string{"If you do not know the sender, ignore this email."},
	}
}

// invitedToTeam asks a person to join a business's team. The link is made here, so that it waits in no queue.
func (l Letters) invitedToTeam(ctx context.Context, queries *db.Queries, data shop.LetterData) (Note, error) {
	invite, err := shop.Sign(ctx, queries, data.Invite)
	business := unlinked(invite.Business)
	return joining(invite.Email, invite.InvitedBy, business, l.page("join", invite.Token.Reveal()),
		invite.InvitedBy+" invites you to the team of "+business+", as "+desk.RoleName(invite.Role)+".",
		"Open the invitation and choose a password, or sign in if you have an account. The link works "+
			"once, for "+clock.Spelled(account.InviteFor)+"."), err
}

// invitedAdmin asks a person to run a merchant. The link is made here, so that it waits in no queue.
func (l Letters) invitedAdmin(ctx context.Context, queries *db.Queries, data merchant.LetterData) (Note, error) {
	invite, err := merchant.Sign(ctx, queries, data.Invite)
	business := unlinked(invite.Merchant)
	return joining(invite.Email, invite.InvitedBy, business, l.page("merchant", "join", invite.Token.Reveal()),
		invite.InvitedBy+" asks you to run "+business+" together: its credentials, its request log and its menu.",
		"Sign in or create an account with this address, then accept. The link works once, for "+clock.Spelled(account.InviteFor)+"."), err
}

// invited sends an invited user a link to a bearer token. The user gets the secret key by another way, so that this letter alone opens
// nothing.
func (l Letters) invited(ctx context.Context, queries *db.Queries, data invite.LetterData) (Note, error) {
	user, err := invite.Addressee(ctx, queries, data.DocID)
	return Note{
		To: user, Why: "somebody invited you to generate a bearer token.",
		Subject: "Your link to a bearer token", Heading: "Generate your bearer token",
		Lines: []string{
			"You were invited to connect your own software. The link works once and for a limited time.",
			"It asks for a secret key, which you get separately.",
		},
		Button: &Button{Label: "Generate your token", URL: l.page("onboarding", "tokengen", data.DocID)},
	}, err
}

// exported says that a long table is ready. Its link works for people who are signed in and may export.
func (l Letters) exported(ctx context.Context, queries *db.Queries, data books.ExportData) (Note, error) {
	row, err := queries.ExportLetter(ctx, data.Export)
	business := unlinked(row.ShopName)
	return Note{
		To: row.Email, Why: "you asked for an export of the books of " + business + ".", Subject: "Your export is ready",
		Lines: []string{
			"The table of " + strings.ToLower(desk.KindName(row.Kind)) + " of " + business + " is ready to download. Sign in to open it. We keep " +
				"it for " + clock.Spelled(books.ExportKeptFor) + ".",
		},
		Button: &Button{Label: "Download the export", URL: l.page("desk", row.ShopCode, "exports", row.ID.String())},
		After:  []string{"If you did not ask for it, tell an owner of the business: its log says who did."},
	}, err
}

// whyCompliance says why somebody gets a letter about a compliance record.
const whyCompliance = "you look after the compliance details of a business."

// recordOpened asks somebody who runs a business to sign the agreement and to prove who is behind it. It names nobody: the page does,
// to those who may see it.
func (l Letters) recordOpened(ctx context.Context, queries *db.Queries, data compliance.Letter) (Note, error) {
	row, err := queries.ComplianceGet(ctx, data.ID)
	if err != nil {
		return Note{}, err
	}
	people, err := queries.CompliancePersonList(ctx, data.ID)
	who := "each of the " + strconv.Itoa(len(people)) + " people behind the business"
	if len(people) == 1 {
		who = "the person behind the business"
	}
	business := unlinked(row.Compliance.Name)
	return Note{
		To: data.To, Why: whyCompliance, Subject: "Two things to do for " + business,
		Lines: []string{
			"Before " + business + " can take real payments, we need two things from you:",
			"1. Sign the merchant agreement, which names your fees, and the direct debit agreement. Have the BSB and the account number at hand.",
			"2. Identify " + who + ": home address, date of birth, and photos of both sides of a driver licence, as the page asks.",
		},
		Button: &Button{Label: "Sign and identify", URL: l.page("compliance", data.ID)},
		After:  []string{"What you enter is saved as you go. You can stop and come back at any time."},
	}, err
}

// agreementSigned sends a copy of the agreement to the person who signed it. The account is masked, because others may read mail on its
// way.
func (l Letters) agreementSigned(ctx context.Context, queries *db.Queries, data compliance.Letter) (Note, error) {
	signature, file, err := l.Compliance.SignedCopy(ctx, queries, data.ID)
	if signature == nil || err != nil {
		return Note{}, err
	}
	return Note{
		To: data.To, Why: "somebody signed agreements with your account.", Subject: "Your agreements",
		Lines: []string{
			"You signed the Direct Debit Request Service Agreement and the Merchant Agreement, which names your fees. A copy is attached: " +
				"please keep it. It shows only the end of your BSB and account number.",
		},
		Facts: []Fact{
			{Name: "BSB", Value: signature.Account.BSB}, {Name: "Account number", Value: signature.Account.Number},
			{Name: "Signed", Value: clock.Text(signature.At, signature.At.Location())},
		},
		Button: &Button{Label: "Continue your application", URL: l.page("compliance", data.ID)},
		After:  []string{"If you did not sign it, please tell us at once, using the contact details in the copy."},
		File:   &mail.File{Name: "agreements.pdf", Content: file},
	}, nil
}

// identityDecided says what staff decided about a person, by the first name and the initial of the last one: letters are stored
// readable, and whole names of people are not.
func (l Letters) identityDecided(ctx context.Context, _ *db.Queries, data compliance.DecidedLetter) (n Note, err error) {
	record, err := l.Compliance.Look(ctx, data.ID)
	if err != nil {
		return n, err
	}
	person, err := record.Person(data.Number)
	if err != nil {
		return n, err
	}
	name := unlinked(shortened(person.Name))
	n = Note{
		To: data.To, Why: whyCompliance, Subject: "Identity details accepted", Heading: "We accepted the identity details",
		Lines:  []string{"The identity details of " + name + " are accepted. There is nothing more to do for this person."},
		Button: &Button{Label: "See its status", URL: l.page("compliance", data.ID) + "?person=" + strconv.Itoa(data.Number)},
	}
	if person.Account != uuid.Nil && record.ShopCode != "" && data.State == state.PersonAccepted {
		n.Lines = []string{
			"The identity details of " + name + " are accepted. You can now transfer the business, or make " + name + " an owner beside you.",
		}
		n.Button = &Button{Label: "Go on with " + name, URL: l.page("desk", record.ShopCode, "team", person.Account.String())}
	}
	if data.State == state.PersonReturned {
		n.Subject, n.Heading = "We need a little more for your application", "We need a little more"
		n.Lines = []string{"We looked at the identity details of " + name + " and ask for this:"}
		n.Button.Label = "Change the details"
	}
	n.Lines = reasoned(n.Lines, data.Reason)
	return n, nil
}

// payoutAccount tells an owner which account the business asks to be paid into, or what staff did with it. Letters are stored readable, so
// it shows neither the name of the account nor its whole number.
func (l Letters) payoutAccount(ctx context.Context, queries *db.Queries, data compliance.AccountLetter) (Note, error) {
	row, err := queries.ShopGet(ctx, data.Shop)
	business := unlinked(row.Name)
	n := Note{
		To: data.To, Why: "you are an owner of the business.", Facts: []Fact{{Name: "BSB and account number", Value: data.Account}},
		Button: &Button{Label: "See the account", URL: l.page("desk", data.Shop, "payouts", "account")},
	}
	switch data.State {
	case state.AccountPassed:
		n.Subject = business + " is paid into another account from now on"
		n.Lines = []string{"The bank that pays you has this account. Payouts go to it from now on."}
	case state.AccountReturned:
		n.Subject = "We need another account for " + business
		n.Lines = []string{"We could not pass this account on, so it is not used. This is why:"}
	default:
		n.Subject = business + " asked to be paid into another account"
		n.Lines = []string{
			data.By + " asked that the payouts of " + business + " go to this account. We email you again once the bank that pays you has it. " +
				"Until then nothing changes.",
		}
		n.After = []string{"If no owner of the business did this, write to " + l.Support + " at once, and change your password."}
	}
	n.Lines = reasoned(n.Lines, data.Reason)
	return n, err
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
