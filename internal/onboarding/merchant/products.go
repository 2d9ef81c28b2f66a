package merchant

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// SaveProducts changes what a merchant builds with, for one of its admins. Errors: ErrMissing.
func (m *Merchants) SaveProducts(ctx context.Context, by Person, id uuid.UUID, products []Product) error {
	text, err := json.Marshal(products)
	if err != nil {
		return err
	}
	codes := make([]string, len(products))
	for i, p := range products {
		codes[i] = p.Code
	}
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		n, err := queries.MerchantProductsSave(ctx, text, id, by.ID)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrMissing
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by.Email, Action: "products changed", Subject: "merchant " + id.String(), Reason: strings.Join(codes, ", "),
		})
	})
}
