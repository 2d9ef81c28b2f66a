package account

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/throttle"
)

// The limits on passkeys count only by network, because only the answer names the account, and nobody can guess a signature. passkeyAsked
// limits the challenges that are stored for people who are not signed in.
var (
	passkeyWrong = throttle.Limit{Subject: "passkey address", Most: 20, Window: time.Hour}
	passkeyAsked = throttle.Limit{Subject: "passkey challenges", Most: 600, Window: time.Hour}
)

// AskPasskey asks a browser that is not signed in for any passkey of this site. token is the secret that the browser already has, or zero;
// holder is the secret that it has to send with its answer to SignInByPasskey. The error is ErrNoPasskeys or *throttle.Error.
func (a *Accounts) AskPasskey(
	ctx context.Context, token secret.Text, from netip.Addr,
) (asked json.RawMessage, holder secret.Text, err error) {
	if len(token.Reveal()) != len(newToken()) {
		token = secret.New(newToken())
	}
	asked, err = a.askAny(ctx, from, forSignIn, hashToken(token.Reveal()))
	return asked, token, err
}

// AskProof asks the browser of a session for one of its person's passkeys; the answer goes to ProveByPasskey. The error is
// ErrNoPasskeys or *throttle.Error.
func (a *Accounts) AskProof(ctx context.Context, h Holder, from netip.Addr) (json.RawMessage, error) {
	return a.askAny(ctx, from, forProof, h.Session[:])
}

func (a *Accounts) askAny(ctx context.Context, from netip.Addr, purpose string, holder []byte) (json.RawMessage, error) {
	if a.party == nil {
		return nil, ErrNoPasskeys
	}
	if err := a.throttle.Take(ctx, passkeyAsked, throttle.Network(from).String()); err != nil {
		return nil, err
	}
	asked, state, err := a.party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, err
	}
	return a.ask(ctx, asked, state, purpose, holder)
}

// SignInByPasskey returns the owner of the passkey with which this browser answered AskPasskey. The device has verified the person, so the
// answer stands for a password and a code. The error is ErrChallenge, ErrPasskey, ErrCopied, ErrNoPasskeys or *throttle.Error.
func (a *Accounts) SignInByPasskey(ctx context.Context, token secret.Text, from netip.Addr, answer []byte) (User, error) {
	return a.answered(ctx, forSignIn, hashToken(token.Reveal()), uuid.Nil, from, answer)
}

// ProveByPasskey checks, by an answer to AskProof, that the signed-in person is the owner of the account. The errors are those of
// SignInByPasskey.
func (a *Accounts) ProveByPasskey(ctx context.Context, h Holder, from netip.Addr, answer []byte) error {
	_, err := a.answered(ctx, forProof, h.Session[:], h.ID, from, answer)
	return err
}

// answered checks an answer to a challenge of a holder. If only is not uuid.Nil, the passkey has to be that account's. A try is counted
// before it is checked.
func (a *Accounts) answered(
	ctx context.Context, purpose string, holder []byte, only uuid.UUID, from netip.Addr, answer []byte,
) (User, error) {
	if a.party == nil {
		return User{}, ErrNoPasskeys
	}
	network := throttle.Network(from).String()
	if err := a.throttle.Take(ctx, passkeyWrong, network); err != nil {
		return User{}, err
	}
	user, err := a.check(ctx, purpose, holder, only, from, answer)
	if errors.Is(err, ErrPasskey) || errors.Is(err, ErrCopied) {
		return User{}, err
	}
	return user, errors.Join(err, a.throttle.Succeed(context.WithoutCancel(ctx), passkeyWrong, network))
}

func (a *Accounts) check(ctx context.Context, purpose string, holder []byte, only uuid.UUID, from netip.Addr, answer []byte) (User, error) {
	signed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return User{}, ErrPasskey
	}
	state, err := a.asked(ctx, signed.Response.CollectedClientData.Challenge, purpose, holder)
	if err != nil {
		return User{}, err
	}
	l := lookup{a: a, only: only}
	who, key, err := a.party.ValidatePasskeyLogin(
		func(credential, handle []byte) (webauthn.User, error) { return l.owner(ctx, credential, handle) }, state, signed,
	)
	if l.broken != nil {
		return User{}, l.broken
	}
	if err != nil {
		return User{}, ErrPasskey
	}
	user := User{ID: who.(person).id, Email: l.found.Email, Name: l.found.Name, Staff: l.found.Staff}
	if key.Authenticator.CloneWarning {
		return User{}, a.copied(ctx, user, from)
	}
	rows, err := a.queries.PasskeyUse(ctx, int64(key.Authenticator.SignCount), int16(key.Flags.ProtocolValue()), l.found.ID)
	if err != nil {
		return User{}, err
	}
	if rows == 0 {
		return User{}, a.copied(ctx, user, from)
	}
	return user, nil
}

// lookup finds the passkey of an answer for the webauthn library.
type lookup struct {
	a      *Accounts
	only   uuid.UUID // the account that it has to belong to; uuid.Nil for any
	found  db.PasskeyFindRow
	broken error // an error of the database, which the library would hide
}

func (l *lookup) owner(ctx context.Context, credential, handle []byte) (webauthn.User, error) {
	id, err := uuid.FromBytes(handle)
	if err != nil || l.only != uuid.Nil && id != l.only {
		return nil, ErrPasskey
	}
	if l.found, err = l.a.queries.PasskeyFind(ctx, credential, id, l.a.party.Config.RPID); err != nil {
		if !errors.Is(err, pgx.ErrNoRows) {
			l.broken = err
		}
		return nil, ErrPasskey
	}
	return person{id: id, email: l.found.Email, keys: []webauthn.Credential{{
		ID: credential, PublicKey: l.found.PublicKey, Transport: transports(l.found.Transports),
		Flags:         webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(l.found.Flags)), //nolint:gosec // eight bits
		Authenticator: webauthn.Authenticator{SignCount: uint32(l.found.SignCount)},            //nolint:gosec // as it came
	}}}, nil
}

// copied records that the counter of a passkey went back, and returns ErrCopied. The specification lets the site decide what to do. Since
// somebody may have a copy of the key, it does not sign in.
func (a *Accounts) copied(ctx context.Context, user User, from netip.Addr) error {
	return errors.Join(ErrCopied, happened(context.WithoutCancel(ctx), a.queries, Holder{ID: user.ID}, EventPasskeyCopied, from.String()))
}
