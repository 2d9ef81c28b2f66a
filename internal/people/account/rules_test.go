package account_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
)

// The same vectors hold for the rules in the browser: islands/account/password.test.ts.
func TestCheckPassword(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/passwords.json")
	check.Must(t, err)
	type vector struct{ Name, Password, Confirm, Message string }
	var vectors []vector
	check.Must(t, json.Unmarshal(text, &vectors))
	vectors = append(vectors, vector{"too long to hash", "Aa1!" + strings.Repeat("a", 1021), "", "Use at most 1,000 characters."})
	for _, v := range vectors {
		problems := account.CheckPassword(secret.New(v.Password), secret.New(v.Confirm))
		got := problems["password"] + problems["confirm"]
		check.Equal(t, got, strings.TrimSuffix(v.Message, "ok"), "AUTH-07 AUTH-08 AUTH-09 AUTH-10 AUTH-11 AUTH-12 AUTH-13 AUTH-14 AUTH-15: %s",
			v.Name)
	}
}
