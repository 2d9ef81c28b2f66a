package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
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
	asked, _, err := a.registration(h, a.challenge(time.Now(), forAdding, h.Session[:]), webauthn.WithExclusions(known))
	if err != nil {
		return nil, err
	}
	return json.Marshal(asked)
}

// registration returns the options for a browser that makes a passkey, and what the library has to know of them at the answer.
func (a *Accounts) registration(
	h Holder, challenge []byte, more ...webauthn.RegistrationOption,
) (*protocol.CredentialCreation, *webauthn.SessionData, error) {
	return a.party.BeginRegistration(person{id: h.ID, email: h.Email}, append(more,
		func(o *protocol.PublicKeyCredentialCreationOptions) error { o.Challenge = challenge; return nil })...)
}

// login is registration's counterpart for one that signs.
func (a *Accounts) login(challenge []byte) (*protocol.CredentialAssertion, *webauthn.SessionData, error) {
	return a.party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired),
		func(o *protocol.PublicKeyCredentialRequestOptions) error { o.Challenge = challenge; return nil })
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
	challenge, err := a.asked(made.Response.CollectedClientData.Challenge, forAdding, h.Session[:])
	if err != nil {
		return err
	}
	_, state, err := a.registration(h, challenge)
	if err != nil {
		return err
	}
	key, err := a.party.CreateCredential(person{id: h.ID, email: h.Email}, *state, made)
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
		if err := answered(ctx, queries, challenge); err != nil {
			return err
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

// A challenge names its time and holds a random number and a MAC, so it takes no row to ask, and asking needs no limit. Only one that was
// answered well has a row, because it works once.
const challengeHead = 8 + 16 // bytes before the MAC

// challenge returns a new challenge for its holder.
func (a *Accounts) challenge(at time.Time, purpose string, holder []byte) []byte {
	head := binary.BigEndian.AppendUint64(make([]byte, 0, challengeHead+sha256.Size), uint64(at.Unix())) //nolint:gosec // after 1970
	head = head[:challengeHead]
	_, _ = rand.Read(head[8:]) // never fails
	return append(head, a.keys.MAC(challenged(head, purpose, holder)...)...)
}

func challenged(head []byte, purpose string, holder []byte) [][]byte {
	return [][]byte{[]byte("passkey challenge\x00" + purpose + "\x00"), head, holder}
}

// asked returns the challenge of an answer, if a holder was asked it within ChallengeFor. The error is ErrChallenge.
func (a *Accounts) asked(text, purpose string, holder []byte) ([]byte, error) {
	var challenge protocol.URLEncodedBase64
	if challenge.UnmarshalJSON([]byte(`"`+text+`"`)) != nil || len(challenge) != challengeHead+sha256.Size {
		return nil, ErrChallenge
	}
	head := challenge[:challengeHead]
	age := time.Since(time.Unix(int64(binary.BigEndian.Uint64(head)), 0)) //nolint:gosec // as it was made
	if !a.keys.Signed(challenge[challengeHead:], challenged(head, purpose, holder)...) || age > ChallengeFor {
		return nil, ErrChallenge
	}
	return challenge, nil
}

// answered uses up a challenge. The error is ErrChallenge.
func answered(ctx context.Context, queries *db.Queries, challenge []byte) error {
	rows, err := queries.PasskeyChallengeUse(ctx, challenge)
	if err == nil && rows == 0 {
		err = ErrChallenge
	}
	return err
}

func transports(names []string) []protocol.AuthenticatorTransport {
	all := make([]protocol.AuthenticatorTransport, len(names))
	for i, name := range names {
		all[i] = protocol.AuthenticatorTransport(name)
	}
	return all
}

// AskPasskey asks a browser that is not signed in for any passkey of this site. token is the secret that the browser already has, or zero;
// holder is the secret that it has to send with its answer to SignInByPasskey. The error is ErrNoPasskeys.
func (a *Accounts) AskPasskey(token secret.Text) (asked json.RawMessage, holder secret.Text, err error) {
	if len(token.Reveal()) != len(newToken()) {
		token = secret.New(newToken())
	}
	asked, err = a.askAny(forSignIn, hashToken(token.Reveal()))
	return asked, token, err
}

// AskProof asks the browser of a session for one of its person's passkeys; the answer goes to ProveByPasskey. The error is ErrNoPasskeys.
func (a *Accounts) AskProof(h Holder) (json.RawMessage, error) {
	return a.askAny(forProof, h.Session[:])
}

func (a *Accounts) askAny(purpose string, holder []byte) (json.RawMessage, error) {
	if a.party == nil {
		return nil, ErrNoPasskeys
	}
	asked, _, err := a.login(a.challenge(time.Now(), purpose, holder))
	if err != nil {
		return nil, err
	}
	return json.Marshal(asked)
}

// SignInByPasskey returns the owner of the passkey with which this browser answered AskPasskey. The device has verified the person, so the
// answer stands for a password and a code. Nobody can guess a signature, so wrong answers have no limit, which would only keep others from
// their passkeys. The error is ErrChallenge, ErrPasskey, ErrCopied or ErrNoPasskeys.
func (a *Accounts) SignInByPasskey(ctx context.Context, token secret.Text, from netip.Addr, answer []byte) (User, error) {
	return a.check(ctx, forSignIn, hashToken(token.Reveal()), uuid.Nil, from, answer)
}

// ProveByPasskey checks, by an answer to AskProof, that the signed-in person is the owner of the account. The errors are those of
// SignInByPasskey.
func (a *Accounts) ProveByPasskey(ctx context.Context, h Holder, from netip.Addr, answer []byte) error {
	_, err := a.check(ctx, forProof, h.Session[:], h.ID, from, answer)
	return err
}

// check checks an answer to a challenge of a holder. If only is not uuid.Nil, the passkey has to be that account's.
func (a *Accounts) check(
	ctx context.Context, purpose string, holder []byte, only uuid.UUID, from netip.Addr, answer []byte,
) (user User, err error) {
	defer func() { a.judged(ctx, Credentials{From: from, session: only}, user.ID, err) }()
	if a.party == nil {
		return User{}, ErrNoPasskeys
	}
	signed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return User{}, ErrPasskey
	}
	challenge, err := a.asked(signed.Response.CollectedClientData.Challenge, purpose, holder)
	if err != nil {
		return User{}, err
	}
	_, state, err := a.login(challenge)
	if err != nil {
		return User{}, err
	}
	l := lookup{a: a, only: only}
	who, key, err := a.party.ValidatePasskeyLogin(
		func(credential, handle []byte) (webauthn.User, error) { return l.owner(ctx, credential, handle) }, *state, signed,
	)
	if l.broken != nil {
		return User{}, l.broken
	}
	if err != nil {
		return User{}, ErrPasskey
	}
	if err := answered(ctx, a.queries, challenge); err != nil {
		return User{}, err
	}
	user = User{ID: who.(person).id, Email: l.found.Email, Name: l.found.Name, Staff: l.found.Staff}
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
