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

// person is an account as the webauthn library sees it.
type person struct {
	id    uuid.UUID
	email string
	keys  []webauthn.Credential
}

func (p person) WebAuthnID() []byte                         { return p.id[:] }
func (p person) WebAuthnName() string                       { return p.email }
func (p person) WebAuthnDisplayName() string                { return p.email }
func (p person) WebAuthnCredentials() []webauthn.Credential { return p.keys }

// These are the purposes of a challenge.
const (
	forSignIn = "sign in"
	forAdding = "add"
	forProof  = "prove"
)

// StartPasskey asks the browser of a session for a new passkey. It returns the options for the browser, as JSON. The answer goes to
// AddPasskey. The error is ErrNoPasskeys.
func (a *Accounts) StartPasskey(ctx context.Context, h Holder) (json.RawMessage, error) {
	if a.party == nil {
		return nil, ErrNoPasskeys
	}
	rows, err := a.queries.PasskeyList(ctx, h.ID)
	if err != nil {
		return nil, err
	}
	known := make([]protocol.CredentialDescriptor, 0, len(rows))
	for _, row := range rows {
		if row.RpID == a.party.Config.RPID {
			known = append(known, protocol.CredentialDescriptor{
				Type: protocol.PublicKeyCredentialType, CredentialID: row.CredentialID, Transport: transports(row.Transports),
			})
		}
	}
	asked, state, err := a.party.BeginRegistration(person{id: h.ID, email: h.Email}, webauthn.WithExclusions(known))
	if err != nil {
		return nil, err
	}
	return a.ask(ctx, asked, state, forAdding, h.Session[:])
}

// AddPasskey stores the passkey that a browser made for StartPasskey. The error is ErrChallenge, ErrPasskey, ErrPasskeyName,
// ErrPasskeyTaken or ErrNoPasskeys.
func (a *Accounts) AddPasskey(ctx context.Context, h Holder, name string, answer []byte) error {
	if a.party == nil {
		return ErrNoPasskeys
	}
	name, ok := passkeyName(name)
	if !ok {
		return ErrPasskeyName
	}
	made, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return ErrPasskey
	}
	state, err := a.asked(ctx, made.Response.CollectedClientData.Challenge, forAdding, h.Session[:])
	if err != nil {
		return err
	}
	key, err := a.party.CreateCredential(person{id: h.ID, email: h.Email}, state, made)
	if err != nil || len(key.ID) < 16 {
		return ErrPasskey
	}
	row := db.PasskeyAddParams{
		ID: uuid.New(), AccountID: h.ID, CredentialID: key.ID, PublicKey: key.PublicKey, RpID: a.party.Config.RPID, Name: name,
		Flags: int16(key.Flags.ProtocolValue()), SignCount: int64(key.Authenticator.SignCount), Transports: []string{},
	}
	for _, transport := range key.Transport {
		row.Transports = append(row.Transports, string(transport))
	}
	return pgx.BeginFunc(ctx, a.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		if _, err := queries.AccountLock(ctx, h.ID); err != nil {
			return lockError(err, ErrPasskeyTaken)
		}
		if count, err := queries.PasskeyCount(ctx, h.ID); err != nil || count >= MaxPasskeys {
			return errors.Join(err, ErrPasskeyTaken)
		}
		rows, err := queries.PasskeyAdd(ctx, row)
		if err == nil && rows == 0 {
			err = ErrPasskeyTaken
		}
		if err != nil {
			return err
		}
		// The person has just used the passkey, so the session stays valid if the account needs more than a password from now on. If a new
		// password has ended the session meanwhile, no passkey is added.
		if rows, err = queries.SessionRaise(ctx, string(ByPasskey), h.Session, h.ID); err == nil && rows == 0 {
			err = ErrChallenge
		}
		return errors.Join(err, a.told(ctx, tx, h, h.Email, EventPasskeyAdded, LetterPasskeyAdded, PasskeyLetter{h.ID, name}))
	})
}

// ask stores a challenge for its holder and returns the options for the browser.
func (a *Accounts) ask(
	ctx context.Context, asked any, state *webauthn.SessionData, purpose string, holder []byte,
) (json.RawMessage, error) {
	challenge, err := challengeOf(state.Challenge)
	if err != nil {
		return nil, err
	}
	kept, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	if err := a.queries.PasskeyChallengeAdd(
		ctx, db.PasskeyChallengeAddParams{Challenge: challenge, Purpose: purpose, Holder: holder, State: kept},
	); err != nil {
		return nil, err
	}
	return json.Marshal(asked)
}

// asked uses up a challenge of a holder. The error is ErrChallenge.
func (a *Accounts) asked(ctx context.Context, text, purpose string, holder []byte) (state webauthn.SessionData, err error) {
	challenge, err := challengeOf(text)
	if err != nil {
		return state, ErrChallenge
	}
	kept, err := a.queries.PasskeyChallengeTake(ctx, db.PasskeyChallengeTakeParams{
		Challenge: challenge, Purpose: purpose, Holder: holder, WorksFor: ChallengeFor,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return state, ErrChallenge
	}
	if err != nil {
		return state, err
	}
	return state, json.Unmarshal(kept, &state)
}

func challengeOf(text string) ([]byte, error) {
	var challenge protocol.URLEncodedBase64
	err := challenge.UnmarshalJSON([]byte(`"` + text + `"`))
	return challenge, err
}

func transports(names []string) []protocol.AuthenticatorTransport {
	all := make([]protocol.AuthenticatorTransport, len(names))
	for i, name := range names {
		all[i] = protocol.AuthenticatorTransport(name)
	}
	return all
}

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
