// Package invite exchanges an invited user's link, email and secret key for a bearer token of one business, once, and later
// identifies the token's owner.
package invite

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/netip"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
	"forecourt/internal/run/throttle"
)

// Why a link or a token does not work.
var (
	// ErrNoList is returned by Check if the whole list of invited users is gone.
	ErrNoList = fault.New(fault.NotFound, "the list of invited users is gone")
	// ErrLink means that a link is unknown, expired or revoked.
	ErrLink = fault.New(fault.NotFound, "no user has this link, or it ended")
	// ErrUsed means that the link's token was already made.
	ErrUsed = fault.New(fault.Gone, "the token of this link was made")
	// ErrNoUser is returned by Generate if the list or the user was removed after the link was checked.
	ErrNoUser = fault.New(fault.NotFound, "the user of this link is gone")
	// ErrCredentials means that the email or the secret key is not this user's; it does not say which.
	ErrCredentials = fault.New(fault.Invalid, "the email or the secret key is not this user's")
)

// Limits on guessing. Only failures count; 0 takes the default. The tags are those of the settings.
type Limits struct {
	Token  int `default:"5" help:"wrong email addresses or secret keys per token page in 15 minutes"`
	Bearer int `default:"20" help:"wrong bearer tokens an hour from one network"`
}

// DefaultLimits are the limits unless LIMITS says otherwise.
var DefaultLimits = Limits{Token: 5, Bearer: 20}

// Invites manages the invited users and their tokens.
type Invites struct {
	queries  *db.Queries
	hasher   *secret.Hasher
	places   *throttle.Places
	throttle *throttle.Throttle
	token    throttle.Limit
	bearer   throttle.Limit
}

// New reads users through conn, hashes in places, and counts failures by hashes made with keys.
func New(conn db.DBTX, hasher *secret.Hasher, places *throttle.Places, keys secret.Key, limits Limits) *Invites {
	queries := db.New(conn)
	return &Invites{
		queries: queries, hasher: hasher, places: places, throttle: throttle.New(queries, keys),
		token:  throttle.Limit{Subject: "token page", Most: cmp.Or(limits.Token, DefaultLimits.Token), Window: 15 * time.Minute},
		bearer: throttle.Limit{Subject: "bearer token", Most: cmp.Or(limits.Bearer, DefaultLimits.Bearer), Window: time.Hour},
	}
}

// In returns the same invites within a transaction.
func (i *Invites) In(tx pgx.Tx) *Invites {
	within := *i
	within.queries = db.New(tx)
	return &within
}

// Request asks for the token of a link.
type Request struct {
	DocID               string
	Email               string
	SecretKey, Password secret.Text
	// UserIndex is the user's place in the list as Check returned it; nil relies on the link alone.
	UserIndex *int64
}

// Check returns an error if a link can no longer be exchanged for a token, else the place of its user in the list, from 0
// (TOKEN-23). Errors: ErrNoList, ErrLink, ErrUsed.
func (i *Invites) Check(ctx context.Context, docID string) (userIndex int64, err error) {
	user, err := i.find(ctx, docID)
	return user.UserIndex, err
}

// Generate makes the token. It stores only hashes of what was sent. Errors: ErrLink, ErrUsed, ErrNoUser, ErrCredentials,
// *throttle.Error after too many of those, fault.TooMany while too many passwords are being checked.
func (i *Invites) Generate(ctx context.Context, req Request) (secret.Text, error) {
	user, err := i.find(ctx, req.DocID)
	if errors.Is(err, ErrNoList) || err == nil && req.UserIndex != nil && *req.UserIndex != user.UserIndex {
		err = ErrNoUser
	}
	if err != nil {
		return secret.Text{}, err
	}
	if err := i.throttle.Take(ctx, i.token, req.DocID); err != nil {
		return secret.Text{}, err
	}
	token, err := i.make(ctx, user, req)
	if err != nil && !errors.Is(err, ErrCredentials) {
		err = errors.Join(err, i.throttle.Succeed(context.WithoutCancel(ctx), i.token, req.DocID))
	}
	return token, err
}

// make takes as long for a wrong email as for a wrong secret key.
func (i *Invites) make(ctx context.Context, user db.InviteGetRow, req Request) (secret.Text, error) {
	ctx, leave, err := i.places.Enter(ctx, throttle.Known(user.DocID)) // whoever has the link
	if err != nil {
		return secret.Text{}, err
	}
	defer leave()
	same, err := i.hasher.Verify(ctx, user.SecretKeyHash, secret.New(typed.Text(req.SecretKey.Reveal())))
	if err != nil {
		return secret.Text{}, err
	}
	if !same || typed.Email(req.Email) != user.Email {
		return secret.Text{}, ErrCredentials
	}
	passwordHash, err := i.hasher.Hash(ctx, req.Password)
	if err != nil {
		return secret.Text{}, err
	}
	token := secret.New(uuid.NewString())
	made, err := i.queries.InviteGenerate(ctx, digest(token), passwordHash, user.DocID)
	if err != nil {
		return secret.Text{}, err
	}
	if made == 0 {
		if _, err := i.find(ctx, user.DocID); err != nil {
			return secret.Text{}, err
		}
		return secret.Text{}, ErrLink
	}
	return token, nil
}

func (i *Invites) find(ctx context.Context, docID string) (db.InviteGetRow, error) {
	if !possible.MatchString(docID) {
		docID = "" // no user has this one; the list is still looked up
	}
	user, err := i.queries.InviteGet(ctx, docID)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return user, ErrNoList
	case err != nil:
		return user, err
	case user.DocID == "", user.Revoked:
		return user, ErrLink
	case user.IsTokenGenerated:
		return user, ErrUsed
	case user.Expired:
		return user, ErrLink
	}
	return user, nil
}

// possible matches the ids that links can have.
var possible = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)

// newID returns 130 random bits in 26 letters and digits: the id of a link, or a secret key.
func newID() string { return rand.Text() }

// digest returns the part of a token that is stored: its hash.
func digest(token secret.Text) []byte {
	sum := sha256.Sum256([]byte(token.Reveal()))
	return sum[:]
}

// ErrToken means that a bearer token is not valid.
var ErrToken = fault.New(fault.Forbidden, "no such bearer token, or it was revoked")

// Holder returns the code of the business that a bearer token belongs to, and records its use and the caller's address. A valid
// token always works; invalid ones are counted by address. Errors: ErrToken, *throttle.Error after too many.
func (i *Invites) Holder(ctx context.Context, token secret.Text, from netip.Addr) (shop string, err error) {
	sum := digest(token)
	found, err := i.queries.InviteUseToken(ctx, sum, from.String())
	if errors.Is(err, pgx.ErrNoRows) {
		if err := i.throttle.Take(ctx, i.bearer, throttle.Network(from).String()); err != nil {
			return "", err
		}
		return "", ErrToken
	}
	if err != nil {
		return "", err
	}
	// The index found the token by its hash, which nobody can choose. This comparison does not reveal how much of it matches, either.
	if subtle.ConstantTimeCompare(found.TokenHash, sum) != 1 {
		return "", ErrToken
	}
	return found.ShopCode, nil
}

// Letter is the kind of the mail that brings a link to its user.
const Letter = "invite"

// LetterData is what its writer needs. It does not include the secret key.
type LetterData struct{ DocID string }

// Addressee returns the address of the user of a link that can still be exchanged for a token, "" if there is none.
func Addressee(ctx context.Context, queries *db.Queries, docID string) (email string, err error) {
	user, err := (&Invites{queries: queries}).find(ctx, docID)
	if errors.Is(err, ErrNoList) || errors.Is(err, ErrLink) || errors.Is(err, ErrUsed) {
		return "", nil
	}
	return user.Email, err
}
