package demo

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/onboarding/merchant"
)

// The demo's merchant, which has every product.
const (
	MerchantUUID = "5f0c1f3e-8f5e-4a52-9b1d-3b7f4a6c2d10"
	MerchantCode = "harbourkitchens"
)

// loadMerchant makes the merchant of an admin. Its terminal secret is made when it is first shown.
func loadMerchant(ctx context.Context, queries *db.Queries, admin uuid.UUID) error {
	products, err := json.Marshal(merchant.Catalogue())
	if err != nil {
		return err
	}
	id := uuid.MustParse(MerchantUUID)
	err = queries.MerchantPutDemo(ctx, db.MerchantPutDemoParams{
		Uuid: id, Uid: admin, Code: MerchantCode, Name: "Harbour Kitchens", Products: products, Mid: "1000000001",
	})
	if err != nil {
		return err
	}
	return queries.MerchantAdminAdd(ctx, id, admin)
}
