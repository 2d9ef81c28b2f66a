package merchant

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/keys"
)

// StoreID and DeviceID of the test credentials are the same for every merchant: each has one store with one device.
const (
	StoreID  = "1001"
	DeviceID = "01"
)

// Key returns the terminal secret of a merchant, for one of its admins; the first call makes it. Errors: account.ErrUnproved, ErrMissing,
// *secret.LostError.
func (m *Merchants) Key(ctx context.Context, by shop.Person, id uuid.UUID) (secret.Text, error) {
	if err := by.Proof.Check(); err != nil {
		return secret.Text{}, err
	}
	return m.key(ctx, by.ID, id)
}

func (m *Merchants) key(ctx context.Context, account, id uuid.UUID) (secret.Text, error) {
	if _, err := m.One(ctx, account, id); err != nil {
		return secret.Text{}, err
	}
	row, err := m.withKey(ctx, id)
	if err != nil {
		return secret.Text{}, err
	}
	return m.open(id, row.KeySealed)
}

// ErrOldWorks means that the secret before the current one still works, and that nobody agreed to end it.
var ErrOldWorks = fault.New(fault.Conflict, "the secret before still works")

// Shown is what an admin sees of a merchant's secrets without a proof.
type Shown struct {
	Mark, OldMark string // OldMark is "" once the secret before works no more
	Example       Charge
}

// Shown returns that for one of a merchant's admins. Errors: ErrMissing, and *secret.LostError with OldMark.
func (m *Merchants) Shown(ctx context.Context, account uuid.UUID, one Merchant) (Shown, error) {
	key, lost := m.key(ctx, account, one.UUID)
	if lost != nil && !errors.As(lost, new(*secret.LostError)) {
		return Shown{}, lost
	}
	row, err := m.withKey(ctx, one.UUID)
	if err != nil {
		return Shown{}, err
	}
	old, err := m.old(row)
	return Shown{Mark(key), Mark(old), Example(one, key)}, errors.Join(lost, err)
}

func (m *Merchants) old(row db.Merchant) (secret.Text, error) {
	if row.OldKeyUntil == nil || !row.OldKeyUntil.After(time.Now()) {
		return secret.Text{}, nil
	}
	return m.openKept(row.Uuid, row.OldKeySealed)
}

// OldKeyFor is how long a terminal secret works after a new one was made.
const OldKeyFor = 24 * time.Hour

// Rotate makes a new terminal secret. The current one works for OldKeyFor more. At most two work at a time: a third has to name, by
// its Mark in ends, the older of them, which stops working at once. was is the secret that the admin saw: if it is no longer current,
// because somebody else just rotated it or the request was sent twice, nothing changes. It is "" for a secret that no key of this
// process opens. Errors: account.ErrUnproved, ErrMissing, ErrOldWorks.
func (m *Merchants) Rotate(ctx context.Context, by shop.Person, id uuid.UUID, was, ends string) error {
	if err := by.Proof.Check(); err != nil {
		return err
	}
	if _, err := m.One(ctx, by.ID, id); err != nil {
		return err
	}
	row, err := m.withKey(ctx, id)
	if err != nil {
		return err
	}
	now, err := m.openKept(id, row.KeySealed)
	if err != nil || Mark(now) != was {
		return err
	}
	old, err := m.old(row)
	if err != nil {
		return err
	}
	change := db.MerchantKeyRotateParams{WorksFor: OldKeyFor, NewKey: m.seal(id, newKey()), Uuid: id, Was: row.KeySealed}
	if works := Mark(old); works != "" && works != ends {
		return ErrOldWorks
	}
	change.Ends = row.OldKeySealed
	_, err = m.queries.MerchantKeyRotate(ctx, change)
	return err
}

// Mark identifies a secret without revealing it: by its last four characters.
func Mark(key secret.Text) string {
	text := key.Reveal()
	return text[max(0, len(text)-4):]
}

// withKey returns the merchant with a secret, which it makes if there is none.
func (m *Merchants) withKey(ctx context.Context, id uuid.UUID) (db.Merchant, error) {
	row, err := m.queries.MerchantGet(ctx, id)
	if err != nil || row.KeySealed != nil {
		return row, found(err)
	}
	if _, err := m.queries.MerchantKeyPut(ctx, m.seal(id, newKey()), id); err != nil {
		return row, err
	}
	row, err = m.queries.MerchantGet(ctx, id)
	return row, found(err)
}

// keys returns the secrets that work now, the current one first.
func (m *Merchants) keys(ctx context.Context, id uuid.UUID) (account string, keys []secret.Text, err error) {
	row, err := m.withKey(ctx, id)
	if err != nil {
		return "", nil, err
	}
	sealed := [][]byte{row.KeySealed}
	if row.OldKeyUntil != nil && row.OldKeyUntil.After(time.Now()) {
		sealed = append(sealed, row.OldKeySealed)
	}
	var lost error
	for _, text := range sealed {
		key, err := m.open(id, text)
		if errors.As(err, new(*secret.LostError)) {
			lost = err
			continue
		}
		if err != nil {
			return "", nil, err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return "", nil, lost
	}
	return row.Mid, keys, nil
}

func (m *Merchants) seal(id uuid.UUID, key secret.Text) []byte {
	return m.box.Seal([]byte(key.Reveal()), keyPlace(id))
}

func (m *Merchants) open(id uuid.UUID, sealed []byte) (secret.Text, error) {
	text, err := m.box.Open(sealed, keyPlace(id))
	return secret.New(string(text)), err
}

// openKept is open, but returns the zero value for what no key opens any more.
func (m *Merchants) openKept(id uuid.UUID, sealed []byte) (secret.Text, error) {
	key, err := m.open(id, sealed)
	if errors.As(err, new(*secret.LostError)) {
		return secret.Text{}, nil
	}
	return key, err
}

// keyPlace returns what a secret is sealed for, so that a row cannot be moved to another merchant.
func keyPlace(id uuid.UUID) string { return "terminal secret " + id.String() }

// newKey has 130 random bits.
func newKey() secret.Text { return secret.New("ts_" + rand.Text()) }

// Hosted returns the merchant with an account id, which is also its id at the hosted payment page, or nil if there is none. Its secrets
// there are its terminal secrets.
func (m *Merchants) Hosted(ctx context.Context, account string) (*keys.Merchant, error) {
	if strings.Trim(account, "0123456789") != "" {
		return nil, nil //nolint:nilnil // a missing merchant is not an error
	}
	row, err := m.queries.MerchantByAccountID(ctx, account)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // the same
	}
	if err != nil {
		return nil, err
	}
	_, secrets, err := m.keys(ctx, row.Uuid)
	if err != nil {
		return nil, err
	}
	return &keys.Merchant{ID: row.Mid, Name: row.Name, PublicKey: PublicKey(row.Uuid), Secrets: secrets}, nil
}

// PublicKey names a merchant in the pages that embed its checkout. It is not secret.
func PublicKey(id uuid.UUID) string {
	sum := sha256.Sum256([]byte("public key of " + id.String()))
	return "pk-test-" + hex.EncodeToString(sum[:6])
}

// Sealed describes the columns that hold terminal secrets.
func Sealed() []secret.Column {
	place := func(parts []string) string { return keyPlace(uuid.MustParse(parts[0])) }
	key := []secret.Part{{Name: "uuid", Type: "uuid"}}
	return []secret.Column{
		{
			Table: "merchant", Name: "key_sealed", Purpose: "terminal secrets", Key: key,
			Place: place, Lost: "an admin of the merchant makes a new secret on the dashboard",
		},
		{
			Table: "merchant", Name: "old_key_sealed", Purpose: "terminal secrets",
			Key: key, Place: place, Lost: "nothing: a newer secret replaced it",
		},
	}
}
