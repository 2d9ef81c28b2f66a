package account

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
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
