package gatewayaccount

import (
	"forecourt/internal/kit/secret"
)

// Sealed describes the column that holds the passwords of gateway accounts.
func Sealed() []secret.Column {
	return []secret.Column{{
		Table: "shop_account", Name: "pwd_sealed", Purpose: "gateway accounts",
		Key:   []secret.Part{{Name: "shop_code", Type: "text"}, {Name: "live", Type: "boolean"}},
		Place: func(p []string) string { return place(p[0], p[1] == "true") },
		Lost:  "staff enter the account again at /staff/accounts/CLIENT",
	}}
}
