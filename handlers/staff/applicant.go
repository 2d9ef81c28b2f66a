package staff

import (
	"context"

	"github.com/google/uuid"

	"forecourt/internal/kit/money"
	"forecourt/internal/onboarding/golive"
	"forecourt/internal/shop/shop"
	view "forecourt/views/staff"
)

// applicant collects what the site knows about the businesses of the person who sent a form.
func applicant(ctx context.Context, shops *shop.Shops, golive *golive.GoLive, account uuid.UUID) (list []view.Evidence, err error) {
	mine, err := shops.Of(ctx, account)
	if err != nil {
		return nil, err
	}
	for _, listed := range mine {
		if !shop.Role(listed.Role).May(shop.Own) {
			continue
		}
		one, _, err := shops.Enter(ctx, listed.Code, account)
		if err != nil {
			return nil, err
		}
		p, err := golive.Progress(ctx, one)
		if err != nil {
			return nil, err
		}
		tested, err := golive.Tested(ctx, one.Code)
		if err != nil {
			return nil, err
		}
		list = append(list, view.ShopEvidence(one, p, testOrder(tested)))
	}
	if len(list) == 0 {
		list = append(list, view.NoShop)
	}
	return list, nil
}

// testOrder returns the text for the first paid test order, "" for none.
func testOrder(t *golive.TestOrder) string {
	if t == nil {
		return ""
	}
	return money.Label(t.AmountMinor, t.Currency) + ", " + view.When(t.PaidAt)
}
