package app

import (
	"slices"

	"forecourt/handlers/web"
	"forecourt/internal/account"
	"forecourt/internal/certificate"
	"forecourt/internal/compliance"
	"forecourt/internal/gatewayaccount/accountstore"
	"forecourt/internal/merchant"
	"forecourt/internal/receipt"
	"forecourt/internal/secret"
)

// Sealed lists every column that holds something sealed with a key derived from the program's secret.
func Sealed() []secret.Column {
	return slices.Concat(
		account.Sealed(), accountstore.Sealed(), certificate.Sealed(), compliance.Sealed(), merchant.Sealed(), receipt.Sealed(), web.Sealed(),
	)
}
