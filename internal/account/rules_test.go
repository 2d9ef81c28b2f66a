package account_test

import (
	"reflect"
	"strings"
	"testing"

	"forecourt/internal/account"
	"forecourt/internal/secret"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	kinds := func(k ...account.Kind) account.PasswordCheck { return account.PasswordCheck{Missing: k} }
	for _, c := range []struct {
		name, password, confirm string
		want                    account.PasswordCheck
	}{
		{"AUTH-07 an uppercase letter", "aaaa111!", "aaaa111!", kinds(account.Uppercase)},
		{"AUTH-08 a lowercase letter", "AAAA111!", "AAAA111!", kinds(account.Lowercase)},
		{"AUTH-09 a number", "AAAAaaa!", "AAAAaaa!", kinds(account.Number)},
		{"AUTH-10 a special character", "AAAAaaa1", "AAAAaaa1", kinds(account.Special)},
		{"AUTH-11 all missing kinds, in order", "a", "a", kinds(account.Uppercase, account.Number, account.Special)},
		{"AUTH-14 kinds before length and match", "a", "b", kinds(account.Uppercase, account.Number, account.Special)},
		{"AUTH-12 seven characters", "Aa1!aaa", "Aa1!aaa", account.PasswordCheck{TooShort: true}},
		{"AUTH-14 length before match", "Aa1!", "x", account.PasswordCheck{TooShort: true}},
		{"AUTH-13 another confirmation", "Aa1!aaaa", "Aa1!aaab", account.PasswordCheck{Differs: true}},
		{"AUTH-15 eight characters", "Aa1!aaaa", "Aa1!aaaa", account.PasswordCheck{}},
		{"letters of other scripts count", "Ünïcödé1 ", "Ünïcödé1 ", account.PasswordCheck{}},
		{"characters count, not bytes", "Ää1!Ää1", "Ää1!Ää1", account.PasswordCheck{TooShort: true}},
		{"too long to hash", "Aa1!" + strings.Repeat("a", 1021), "", account.PasswordCheck{TooLong: true}},
		{"nothing", "", "", kinds(account.Uppercase, account.Lowercase, account.Number, account.Special)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := account.CheckPassword(secret.New(c.password), secret.New(c.confirm)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
