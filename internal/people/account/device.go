package account

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
)

// maxDevice is the most accounts that a browser is known for. A new one replaces the oldest.
const maxDevice = 5

// KnownFor is how long a browser is known after its last sign-in.
const KnownFor = 365 * 24 * time.Hour

// mark is an entry of the cookie that makes a browser known: for which account, with which password of it, by what, since when. Its MAC
// follows. A stolen one reveals no address, allows only as many guesses as the owner has, and ends with the password.
type mark struct {
	Account  uuid.UUID
	Password [8]byte // part of a MAC of the password's hash
	Code     bool    // a second step was given, too
	At       int64   // Unix time in microseconds, which also tells browsers apart
}

// sign returns the entry as the cookie has it.
func (a *Accounts) sign(m mark) string {
	text, _ := binary.Append(nil, binary.BigEndian, m) // of a fixed size
	return base64.RawURLEncoding.EncodeToString(append(text, a.keys.MAC(knownKind, text)...))
}

var knownKind = []byte("known browser\x00")

// marks returns the entries of a cookie that count, by their texts.
func (a *Accounts) marks(cookie string) iter.Seq2[string, mark] {
	return func(yield func(string, mark) bool) {
		parts := strings.Split(cookie, ".")
		for _, entry := range parts[max(len(parts)-maxDevice, 0):] {
			var m mark
			raw, err := base64.RawURLEncoding.Strict().DecodeString(entry) // strict, so that each entry has one text, which counts
			size := binary.Size(m)
			if err != nil || len(raw) != size+sha256.Size || !a.keys.Signed(raw[size:], knownKind, raw[:size]) {
				continue
			}
			_, _ = binary.Decode(raw, binary.BigEndian, &m) // which is as long
			if time.Since(time.UnixMicro(m.At)) < KnownFor && !yield(entry, m) {
				return
			}
		}
	}
}

// passwordMark returns what marks have of a password.
func (a *Accounts) passwordMark(row db.Account) [8]byte {
	return [8]byte(a.keys.MAC([]byte("password of a known browser\x00"), []byte(row.PasswordHash)))
}

// Remember returns the new cookie of a browser in which the owner of an account signed in, or set a new password, and reports whether the
// browser was known for the account before. by is the factor that was proved beside the password. With one, the browser becomes known for
// guesses of codes, too. cookie is the browser's present one.
func (a *Accounts) Remember(ctx context.Context, cookie, email string, by Factor) (fresh string, was bool, err error) {
	row, err := a.find(ctx, typed.Email(email))
	if err != nil {
		return cookie, false, err
	}
	m := mark{Account: row.ID, Password: a.passwordMark(row), Code: by != "", At: time.Now().UnixMicro()}
	var entries []string
	for entry, old := range a.marks(cookie) {
		if old.Account != row.ID {
			entries = append(entries, entry)
		} else if old.Password == m.Password {
			was, m.Code = true, m.Code || old.Code
		}
	}
	entries = append(entries, a.sign(m))
	return strings.Join(entries[max(len(entries)-maxDevice, 0):], "."), was, nil
}

// known returns the entry of a cookie that makes the browser known for an account, or "" if there is none. If byCode, only one made with
// a second step counts.
func (a *Accounts) known(cookie string, row db.Account, byCode bool) string {
	for entry, m := range a.marks(cookie) {
		if m.Account == row.ID && m.Password == a.passwordMark(row) && (m.Code || !byCode) {
			return entry
		}
	}
	return ""
}

// Browser returns an account for which the browser with this cookie is known, or was before its password changed; ok is false if there is
// none. It costs no query.
func (a *Accounts) Browser(cookie string) (account uuid.UUID, ok bool) {
	for _, m := range a.marks(cookie) {
		return m.Account, true
	}
	return uuid.Nil, false
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
		return a.mail.Add(ctx, tx, mail.Request{Kind: LetterNewBrowser, Key: "browser/" + uuid.NewString(), Data: n, Later: true})
	})
}
