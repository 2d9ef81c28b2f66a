package account

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// The letters about a passkey; each one's data is PasskeyLetter.
const (
	LetterPasskeyAdded   = "passkey added"
	LetterPasskeyRemoved = "passkey removed"
)

// PasskeyLetter is what those letters need.
type PasskeyLetter struct {
	Account uuid.UUID `json:"account"`
	Name    string    `json:"name"` // of the passkey
}

// ChallengeFor is how long a browser may take to answer a challenge.
const ChallengeFor = 5 * time.Minute

// MaxPasskeys is how many passkeys an account may have. MaxPasskeyName is the length of the longest name of one, in characters.
const (
	MaxPasskeys    = 20
	MaxPasskeyName = 60
)

// These errors say why a passkey is not accepted or not changed.
var (
	// ErrPasskey means that no account has the passkey, or that it is for another site or signed something else.
	ErrPasskey = fault.New(fault.Invalid, "We do not know this passkey, or it belongs to another account. Sign in another way.")
	// ErrChallenge means that there is no such challenge: it was answered, is older than ChallengeFor, or belongs to another browser.
	ErrChallenge = fault.New(fault.Gone, "That took longer than %s. Please try again.", clock.Spelled(ChallengeFor))
	// ErrCopied means that the passkey's counter went back, so there may be a copy of the private key.
	ErrCopied = fault.New(fault.Forbidden, "This passkey was not accepted, because a copy of it may be in use. "+
		"Sign in another way, then remove it and add it again.")
	// ErrNoPasskeys means that this site has no passkeys: they need a domain name, not an IP address.
	ErrNoPasskeys   = fault.New(fault.NotFound, "passkeys need a site with a domain name")
	ErrPasskeyName  = fault.New(fault.Invalid, "Give it a name of at most 60 printable characters, without a card number.")
	ErrPasskeyGone  = fault.New(fault.NotFound, "the account has no such passkey")
	ErrPasskeyTaken = fault.New(fault.Conflict, "This passkey was added before, or the account already has 20, which is the most.")
)

// Passkey is one of an account's passkeys.
type Passkey struct {
	ID        uuid.UUID
	Name      string
	Made      time.Time
	Used      *time.Time // nil: never
	Elsewhere string     // the name of the site that it is for, if that is not this one's
}

// PasskeyName returns the name to which a site's passkeys belong: the host in its public address. For a loopback address that is
// "localhost", where passkeys also work. For any other IP address it is "".
func PasskeyName(public *url.URL) string {
	id := strings.ToLower(public.Hostname())
	if id == "127.0.0.1" || id == "::1" {
		return "localhost"
	}
	if protocol.ValidateRPID(id) != nil {
		return ""
	}
	return id
}

// relyingParty returns the site as passkeys know it, or nil for a site without passkeys.
func relyingParty(public *url.URL, origins []string, name string) (*webauthn.WebAuthn, error) {
	if public == nil || PasskeyName(public) == "" {
		return nil, nil //nolint:nilnil // nil is a site without passkeys
	}
	id, own := PasskeyName(public), public.Scheme+"://"+public.Host
	if id == "localhost" {
		own = public.Scheme + "://localhost:" + public.Port()
	}
	allowed := []string{own}
	for _, origin := range origins {
		if u, err := url.Parse(origin); err == nil && (u.Hostname() == id || strings.HasSuffix(u.Hostname(), "."+id)) && origin != own {
			allowed = append(allowed, origin)
		}
	}
	return webauthn.New(&webauthn.Config{
		RPID: id, RPDisplayName: cmp.Or(name, id), RPOrigins: allowed, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
	})
}

// PasskeysWork reports whether this site has passkeys.
func (a *Accounts) PasskeysWork() bool { return a.party != nil }

// Passkeys lists the passkeys of an account, oldest first.
func (a *Accounts) Passkeys(ctx context.Context, account uuid.UUID) ([]Passkey, error) {
	rows, err := a.queries.PasskeyList(ctx, account)
	if err != nil {
		return nil, err
	}
	keys := make([]Passkey, len(rows))
	for i, row := range rows {
		keys[i] = Passkey{ID: row.ID, Name: row.Name, Made: row.CreatedAt, Used: row.UsedAt}
		if a.party == nil || row.RpID != a.party.Config.RPID {
			keys[i].Elsewhere = row.RpID
		}
	}
	return keys, nil
}

// RenamePasskey gives one of an account's passkeys another name. The error is ErrPasskeyName or ErrPasskeyGone.
func (a *Accounts) RenamePasskey(ctx context.Context, account, id uuid.UUID, name string) error {
	name, ok := passkeyName(name)
	if !ok {
		return ErrPasskeyName
	}
	rows, err := a.queries.PasskeyRename(ctx, name, id, account)
	if err == nil && rows == 0 {
		err = ErrPasskeyGone
	}
	return err
}

// RemovePasskey removes one of an account's passkeys and ends the account's other sessions, because somebody who has the device may have
// opened them. The error is ErrPasskeyGone, or ErrNeeded for the last factor of an account that needs one. If two factors are removed at
// once, one waits for the other.
func (a *Accounts) RemovePasskey(ctx context.Context, h Holder, id uuid.UUID) error {
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		if _, err := queries.AccountLock(ctx, h.ID); err != nil {
			return lockError(err, ErrPasskeyGone)
		}
		keys, err := queries.PasskeyList(ctx, h.ID)
		if err != nil {
			return err
		}
		name := ""
		for _, key := range keys {
			if key.ID == id {
				name = key.Name
			}
		}
		if name == "" {
			return ErrPasskeyGone
		}
		left := len(keys) - 1
		if codes, err := queries.TotpOn(ctx, h.ID); err != nil {
			return err
		} else if codes {
			left++
		}
		if err := a.spare(ctx, queries, h.ID, left); err != nil {
			return err
		}
		if _, err := queries.PasskeyRemove(ctx, id, h.ID); err != nil {
			return err
		}
		return a.changed(ctx, tx, h, h.Email, EventPasskeyRemoved, LetterPasskeyRemoved, PasskeyLetter{h.ID, name})
	})
}

// lockError returns other if err says that there was no such account to lock, and err otherwise.
func lockError(err, other error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return other
	}
	return err
}

// passkeyName returns a name as it is stored.
func passkeyName(name string) (string, bool) {
	return name, typed.Tidy(&name, MaxPasskeyName, "name", "missing") == ""
}
