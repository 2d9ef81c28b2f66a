package invite

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

// For how many days a link may be exchanged for a token.
const (
	DefaultDays = 30  // for which a link may be exchanged for a bearer token
	MaxDays     = 365 // for which it may be, at most
)

// Why an invite cannot be made or found, for those who manage them.
var (
	ErrShop    = fault.New(fault.NotFound, "no such client")
	ErrEmail   = fault.New(fault.Invalid, "not an email address")
	ErrDays    = fault.New(fault.Invalid, "a link lives 1 to %d days", MaxDays)
	ErrUnknown = fault.New(fault.NotFound, "no such invite")
)

// Invite is a link to hand over, with the secret key, which cannot be retrieved again.
type Invite struct {
	DocID, Shop, Email string
	SecretKey          secret.Text
	ExpiresAt          time.Time
}

// Create invites a user to get a token of a shop. Errors: ErrShop, ErrEmail, ErrDays.
func (i *Invites) Create(ctx context.Context, shop, email string, days int) (Invite, error) {
	email = typed.Email(email)
	if !typed.IsEmail(email) {
		return Invite{}, ErrEmail
	}
	key, hash, err := i.newKey(ctx, days)
	if err != nil {
		return Invite{}, err
	}
	row, err := i.queries.InviteCreate(ctx, db.InviteCreateParams{
		DocID: newID(), ShopCode: shop, Email: email, SecretKeyHash: hash, Days: int32(days), //nolint:gosec // 1 to 365
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Invite{}, ErrShop
	}
	return Invite{DocID: row.DocID, Shop: row.ShopCode, Email: row.Email, SecretKey: key, ExpiresAt: row.ExpiresAt}, err
}

// Reissue gives the user of a link another link and another secret key, and ends the old link with its token. Errors:
// ErrUnknown, ErrDays.
func (i *Invites) Reissue(ctx context.Context, docID string, days int) (Invite, error) {
	key, hash, err := i.newKey(ctx, days)
	if err != nil {
		return Invite{}, err
	}
	row, err := i.queries.InviteReissue(ctx, db.InviteReissueParams{
		DocID: docID, NewDocID: newID(), SecretKeyHash: hash, Days: int32(days), //nolint:gosec // 1 to 365
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return Invite{}, ErrUnknown
	}
	return Invite{DocID: row.DocID, Shop: row.ShopCode, Email: row.Email, SecretKey: key, ExpiresAt: row.ExpiresAt}, err
}

// Revoke ends a link and its token; one that has ended stays so. Error: ErrUnknown.
func (i *Invites) Revoke(ctx context.Context, docID string) error {
	switch known, err := i.queries.InviteRevoke(ctx, docID); {
	case err != nil:
		return err
	case known == 0:
		return ErrUnknown
	}
	return nil
}

// State is the state of an invited user.
type State string

// The states of an invited user.
const (
	Open    State = "open"    // the link waits to be used
	Active  State = "active"  // there is a token
	Expired State = "expired" // the link was not used in time
	Revoked State = "revoked" // link and token were ended
)

// User is an invited user as those who manage them see it.
type User struct {
	DocID        string     `json:"docId"`
	UserIndex    int64      `json:"userIndex"`
	Shop         string     `json:"client"`
	Email        string     `json:"email"`
	State        State      `json:"state"`
	CreatedAt    time.Time  `json:"createdAt"`
	ExpiresAt    time.Time  `json:"expiresAt"`
	TokenAt      *time.Time `json:"tokenCreatedAt"`
	LastUsedAt   *time.Time `json:"lastUsedAt"`
	LastUsedAddr string     `json:"lastUsedAddress"`
	Generated    bool       `json:"isTokenGenerated"`
}

// List returns every invited user, in the order of invitation.
func (i *Invites) List(ctx context.Context) ([]User, error) {
	rows, err := i.queries.InviteList(ctx)
	users := make([]User, 0, len(rows))
	for _, row := range rows {
		users = append(users, User{
			DocID: row.DocID, UserIndex: row.UserIndex, Shop: row.ShopCode, Email: row.Email, State: stateOf(row),
			CreatedAt: row.CreatedAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(), TokenAt: row.TokenCreatedAt,
			LastUsedAt: row.LastUsedAt, LastUsedAddr: row.LastUsedAddress, Generated: row.IsTokenGenerated,
		})
	}
	return users, err
}

func stateOf(row db.InviteListRow) State {
	switch {
	case row.RevokedAt != nil:
		return Revoked
	case row.IsTokenGenerated:
		return Active
	case row.Expired:
		return Expired
	default:
		return Open
	}
}

func (i *Invites) newKey(ctx context.Context, days int) (key secret.Text, hash string, err error) {
	if days < 1 || days > MaxDays {
		return key, "", ErrDays
	}
	key = secret.New(newID())
	hash, err = i.hasher.Hash(ctx, key)
	return key, hash, err
}
