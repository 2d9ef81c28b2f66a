package account_test

import (
	"reflect"
	"strings"
	"testing"

	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
)

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	kinds := func(k ...account.Kind) account.PasswordCheck { return account.PasswordCheck{Missing: k} }
	for _, c := range []struct {
		name, password, confirm string
		want                    account.PasswordCheck
	}{
		{"an uppercase letter (AUTH-07)", "aaaa111!", "aaaa111!", kinds(account.Uppercase)},
		{"a lowercase letter (AUTH-08)", "AAAA111!", "AAAA111!", kinds(account.Lowercase)},
		{"a number (AUTH-09)", "AAAAaaa!", "AAAAaaa!", kinds(account.Number)},
		{"a special character (AUTH-10)", "AAAAaaa1", "AAAAaaa1", kinds(account.Special)},
		{"all missing kinds, in order (AUTH-11)", "a", "a", kinds(account.Uppercase, account.Number, account.Special)},
		{"kinds before length and match (AUTH-14)", "a", "b", kinds(account.Uppercase, account.Number, account.Special)},
		{"seven characters (AUTH-12)", "Aa1!aaa", "Aa1!aaa", account.PasswordCheck{TooShort: true}},
		{"length before match (AUTH-14)", "Aa1!", "x", account.PasswordCheck{TooShort: true}},
		{"another confirmation (AUTH-13)", "Aa1!aaaa", "Aa1!aaab", account.PasswordCheck{Differs: true}},
		{"eight characters (AUTH-15)", "Aa1!aaaa", "Aa1!aaaa", account.PasswordCheck{}},
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
