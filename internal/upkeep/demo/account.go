package demo

import (
	"context"
	"errors"

	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/gatewayaccount"
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
		for live, account := range lacking {
			if account == nil {
				continue
			}
			err := accounts.Set(ctx, "demo", b.Code, live, gatewayaccount.Account{MID: account.MID, Password: secret.New(account.Password)})
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
