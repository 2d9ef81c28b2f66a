package app

import (
	"slices"

	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/onboarding/merchant"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/people/account"
	"forecourt/ops/certificate"
)

// Sealed lists every column that holds something sealed with a key derived from the program's secret.
func Sealed() []secret.Column {
	return slices.Concat(
		account.Sealed(), gatewayaccount.Sealed(), certificate.Sealed(), compliance.Sealed(), merchant.Sealed(), receipt.Sealed(),
	)
}
