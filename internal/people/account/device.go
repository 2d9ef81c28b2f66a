package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/typed"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// maxDevice is the most accounts that a browser is known for. A new one replaces the oldest.
const maxDevice = 5

// nonceSize is the length of an entry's random number, in bytes. A MAC follows it.
const nonceSize = 16

// Remember returns the new cookie of a browser in which the owner of an account signed in, or set a new password through a mailed link. by
// is the factor that was proved beside the password. With a code, the browser becomes known for guesses of codes, too, and the entry
// replaces one made by a password alone. cookie is the browser's present one. Each entry is a random number and a MAC of that number and
// the address. A stolen cookie reveals no address, and allows only as many guesses as the owner has.
func (a *Accounts) Remember(cookie, email string, by Factor) string {
	if a.known(cookie, email, by) != "" {
		return cookie
	}
	weaker := a.known(cookie, email, "")
	entries := slices.DeleteFunc(entries(cookie), func(entry string) bool { return entry == weaker })
	nonce := make([]byte, nonceSize)
	_, _ = rand.Read(nonce) // never fails
	entries = append(entries, base64.RawURLEncoding.EncodeToString(slices.Concat(nonce, a.keys.MAC(marked(nonce, email, by)...))))
	return strings.Join(entries[max(len(entries)-maxDevice, 0):], ".")
}

// known returns the entry of a cookie that makes the browser known for an account, or "" if there is none. Unless by is "", only an entry
// made by a code counts.
func (a *Accounts) known(cookie, email string, by Factor) string {
	for _, entry := range entries(cookie) {
		raw, err := base64.RawURLEncoding.DecodeString(entry)
		if err != nil || len(raw) != nonceSize+sha256.Size {
			continue
		}
		nonce, mark := raw[:nonceSize], raw[nonceSize:]
		if a.keys.Signed(mark, marked(nonce, email, ByCode)...) || by == "" && a.keys.Signed(mark, marked(nonce, email, "")...) {
			return entry
		}
	}
	return ""
}

func entries(cookie string) []string {
	if cookie == "" {
		return nil
	}
	parts := strings.Split(cookie, ".")
	return parts[max(len(parts)-maxDevice, 0):]
}

// marked returns what an entry signs.
func marked(nonce []byte, email string, by Factor) [][]byte {
	kind := "known device by code\x00"
	if by == "" {
		kind = "known device\x00"
	}
	return [][]byte{[]byte(kind), nonce, []byte(typed.Email(email))}
}

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
