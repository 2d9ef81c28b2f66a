package mails

import (
	"context"
	"strconv"
	"time"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/upkeep/privacy"
)

// accountData is what the letters to the address of an account are about, beside the account. Each kind has its own part of it.
type accountData struct {
	account.NewBrowser
	Name string    `json:"name"` // of a passkey
	Due  time.Time `json:"due"`  // when the account is erased
	Left int64     `json:"-"`    // recovery codes
}

// accountNotes are the letters to the address of an account by their kind, without what toAccount adds.
func (l Letters) accountNotes(about accountData) map[string]Note {
	reset := "If it was not you, choose a new password at " + l.page("reset") + " at once"
	warn := func(subject, happened string) Note {
		return Note{
			Why:     "the way to sign in to your account changed.",
			Subject: subject, Lines: []string{happened}, After: []string{reset + ", and write to " + l.Support + "."},
		}
	}
	data := func(subject, happened string) Note {
		return Note{Why: "it is about the data of your account.", Subject: subject, Lines: []string{happened}}
	}
	notes := map[string]Note{
		account.LetterVerify: {
			Why: "somebody created an account with this address.", Subject: "Confirm your email address",
			Lines: []string{
				"Somebody created an account with this address. If it was you, confirm " +
					"within " + clock.Span(account.VerifyFor) + " that the address is yours.",
			},
			After: []string{"If it was not you, do nothing: without this link the account cannot act in your name."},
		},
		account.LetterReset: {
			Why: "somebody asked for a new password for this address.", Subject: "Choose a new password",
			Lines: []string{
				"Somebody asked for a new password for your account. If it was you, choose one within " + clock.Span(account.ResetFor) + ".",
			},
			After: []string{"If it was not you, do nothing: your password does not change."},
		},
		account.LetterChanged: {
			Why: "the password of your account changed.", Subject: "Your password was changed",
			Lines: []string{"The password of your account was changed just now, and every other browser was signed out."},
			After: []string{
				reset + ".", "Kitchen screens that you connected go on working. Your account's page lists them, and can disconnect them.",
			},
		},
		account.LetterNewBrowser: {
			Why: "somebody signed in to your account.", Subject: "A new browser signed in to your account",
			Lines: []string{about.Browser + ", at " + about.Address + ", signed in to your account just now. We had not seen it before."},
			After: []string{
				"If it was you, there is nothing to do.",
				reset + ": that signs out every browser. What else happened is at " + l.page("account", "security") + ".",
			},
		},
		account.LetterTwoStepOn: warn("Two-step sign-in is on",
			"Two-step sign-in was set up for your account just now. From now on signing in takes your password "+
				"and a code. Every other browser was signed out."),
		account.LetterTwoStepMoved: warn("Two-step sign-in moved to another app",
			"Two-step sign-in for your account was moved to another app just now. The codes of the previous app no "+
				"longer work, and every other browser was signed out."),
		account.LetterTwoStepOff: warn("Two-step sign-in is off",
			"Two-step sign-in was removed from your account just now. From now on signing in takes only your password."),
		account.LetterPasskeyAdded: warn("A passkey was added",
			"The passkey “"+about.Name+"” was added to your account just now. It can sign in without your password."),
		account.LetterPasskeyRemoved: warn("A passkey was removed",
			"The passkey “"+about.Name+"” was removed from your account just now. It no longer signs you in."),
		account.LetterRecoveryUsed: warn("A recovery code was used",
			"One of your recovery codes was used just now. "+strconv.FormatInt(about.Left, 10)+" of them are left."),
		privacy.LetterCopied: data("A copy of your data was downloaded",
			"Somebody who signed in to your account, and confirmed that it is you, downloaded a copy of what is stored about you."),
		privacy.LetterErasing: data("Your account will be erased",
			"You asked us to erase your account. That happens on "+clock.Text(about.Due, clock.Zone(clock.Home))+
				". Until then you can cancel it. Every other browser was signed out."),
		privacy.LetterKept: data("Your account stays", "The erasure of your account was cancelled. Nothing was erased."),
		privacy.LetterHeld: data("Your account was not erased",
			"Your account was due to be erased today, but something has to be finished first. The page says what. Nothing was erased."),
	}
	after := func(kind string, button *Button, text ...string) {
		n := notes[kind]
		n.Button, n.After = button, text
		notes[kind] = n
	}
	after(privacy.LetterCopied, nil, reset+".")
	after(privacy.LetterErasing, &Button{"Keep the account", l.page("account", "data")}, reset+", then keep the account.")
	after(privacy.LetterHeld, &Button{"See what is missing", l.page("account", "data")})
	return notes
}

// toAccount writes a kind of letter to the address of an account. Links are made here, so that they wait in no queue.
func (l Letters) toAccount(kind string) func(context.Context, *db.Queries, accountData) (Note, error) {
	return func(ctx context.Context, queries *db.Queries, about accountData) (n Note, err error) {
		person, err := queries.AccountGet(ctx, about.Account)
		if err != nil || person.ErasedAt != nil || kind == account.LetterVerify && person.VerifiedAt != nil {
			return n, err
		}
		var token secret.Text
		button := (*Button)(nil)
		switch kind {
		case account.LetterVerify:
			token, err = account.NewVerificationToken(ctx, queries, person.ID)
			button = &Button{"Confirm this address", l.page("verify", token.Reveal())}
		case account.LetterReset:
			token, err = account.NewResetToken(ctx, queries, person.ID)
			button = &Button{"Choose a new password", l.page("reset", token.Reveal())}
		case account.LetterRecoveryUsed:
			about.Left, err = queries.RecoveryCodeLeft(ctx, about.Account)
		}
		n = l.accountNotes(about)[kind]
		n.To = person.Email
		if person.VerifiedAt == nil && button == nil {
			n.Counts = "account" // anybody may have signed up with a stranger's address
		}
		if button != nil {
			n.Button = button
		}
		return n, err
	}
}

// accountErased is the last letter.
func (l Letters) accountErased(_ context.Context, _ *db.Queries, data privacy.LastLetter) (Note, error) {
	return Note{
		To: data.To, Why: "your account was erased. This is our last email to you, and we do not keep your address.",
		Subject: "Your account is erased",
		Lines: []string{
			"Your account, and everything that belonged to it alone, is gone.",
			"The books of businesses stay, without your name. Applications that were decided and agreements that you signed stay for seven years, " +
				"because the law requires it.",
		},
		After: []string{
			"Older backups are deleted in time. If one is restored, we erase your account again. Questions? Write to " + l.Support + ".",
		},
	}, nil
}
