package demo

import (
	"context"
	"errors"

	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
)

// loadAccounts adds the gateway accounts that the businesses lack. If the gateway refuses one or does not answer, the next start tries
// again.
func loadAccounts(ctx context.Context, accounts *gatewayaccount.Accounts) error {
	businesses, err := Businesses()
	if err != nil {
		return err
	}
	for _, b := range businesses {
		kept, err := accounts.Of(ctx, b.Code)
		if err != nil {
			return err
		}
		lacking := map[bool]*Account{false: b.PaylinkTest, true: b.PaylinkLive}
		for _, k := range kept {
			lacking[k.Live] = nil
		}
		for live, given := range lacking {
			if given == nil {
				continue
			}
			by := shop.Person{Email: "demo", Proof: account.OperatorProof()}
			err := accounts.Set(ctx, by, b.Code, live, gatewayaccount.Account{MID: given.MID, Password: secret.New(given.Password)})
			if errors.Is(err, gatewayaccount.ErrAway) {
				return nil
			}
			if err != nil && !errors.Is(err, gatewayaccount.ErrRefused) {
				return err
			}
		}
	}
	return nil
}
