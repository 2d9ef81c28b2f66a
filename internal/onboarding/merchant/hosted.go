package merchant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/internal/site/keys"
)

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
