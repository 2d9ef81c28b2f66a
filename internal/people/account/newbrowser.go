package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// LetterNewBrowser tells an owner about a sign-in from an unknown browser; its data is NewBrowser.
const LetterNewBrowser = "new browser"

// NewBrowser is what that letter needs.
type NewBrowser struct {
	Account uuid.UUID `json:"account"`
	Browser string    `json:"browser"` // such as "Chrome on Windows"
	Address string    `json:"address"` // where it is
}

// newBrowsers limits those letters, so that nobody with a password floods a mailbox. The log has every sign-in.
var newBrowsers = throttle.Limit{Subject: "new browser letters", Most: 10, Window: 24 * time.Hour}

// Known reports whether a browser with this cookie is known for an account; see Remember.
func (a *Accounts) Known(cookie, email string) bool { return a.known(cookie, email, "") != "" }

// TellNewBrowser tells the owner of an account by email that somebody signed in from an unknown browser. The demo's accounts, which
// everybody shares, get no such letter.
func (a *Accounts) TellNewBrowser(ctx context.Context, n NewBrowser) error {
	row, err := a.queries.AccountGet(ctx, n.Account)
	if err != nil || row.DemoOpen != nil {
		return err
	}
	err = a.throttle.Take(ctx, newBrowsers, n.Account.String())
	if limited := new(throttle.Error); errors.As(err, &limited) {
		return nil
	}
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		return a.mail.Add(ctx, tx, mail.Request{Kind: LetterNewBrowser, Key: "browser/" + uuid.NewString(), Data: n})
	})
}
