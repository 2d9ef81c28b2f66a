// Package keys makes the keys with which a merchant signs a payment: the hosted page's transaction key and the API's merchant key.
// islands/demo/keys does the same in the browser; testdata/vectors.json keeps both in agreement.
package keys

import (
	"crypto/sha1" //nolint:gosec // the hosted page's key is SHA-1 by its definition
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"

	"forecourt/internal/kit/money"
	"forecourt/internal/kit/secret"
)

// Hash names a hash function as the pages and the test vectors do.
type Hash string

// Transaction keys are SHA-1 (HPS-04), merchant keys of the API SHA-256 (KEYGEN-05).
const (
	SHA1   Hash = "sha1"
	SHA256 Hash = "sha256"
)

// Input holds the parts of a key as they were typed.
type Input struct {
	Currency, Amount, Reference string
	Secret                      secret.Text
}

// Key hashes the currency in capitals, the amount with two decimals, the reference and the secret, joined without anything
// in between, as lower-case hex.
func (i Input) Key(h Hash) string { return Sum(h, i.Preimage()) }

// Preimage is the text that Key hashes. It ends with the secret.
func (i Input) Preimage() string {
	return Currency(i.Currency) + Amount(i.Amount) + i.Reference + i.Secret.Reveal()
}

// Sum hashes a text as lower-case hex. Any other name than SHA1's is SHA-256.
func Sum(h Hash, text string) string { return hex.EncodeToString(sum(h, text)) }

func sum(h Hash, text string) []byte {
	if h == SHA1 {
		digest := sha1.Sum([]byte(text)) //nolint:gosec // see above
		return digest[:]
	}
	digest := sha256.Sum256([]byte(text))
	return digest[:]
}

// Equal compares two keys in constant time.
func Equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// Currency is a currency in capitals as the key takes it (HPS-05). Letters beyond a to z stay unchanged, because languages differ about
// their capitals.
func Currency(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}

// Charged reads the amount of a charge as minor units. One that Amount rounds, which only a key may hold, is refused: nobody is charged
// what was not sent.
func Charged(s string) (int64, error) {
	if _, cents, _ := strings.Cut(strings.Trim(s, " \t\r\n"), "."); len(cents) > 2 {
		return 0, money.ErrAmount
	}
	return money.Parse(Amount(s))
}

// Amount is an amount with exactly two decimals as the key takes it, "0.00" if it is not a number (HPS-06, KEYGEN-09). It
// works on the digits, so that 1.005 is 1.01 everywhere and no amount is too large.
func Amount(s string) string {
	s = strings.Trim(s, " \t\r\n")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign = "-"
	}
	whole, cents, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+"), ".")
	if strings.HasPrefix(s, "-+") || whole+cents == "" || strings.Trim(whole+cents, "0123456789") != "" {
		return "0.00"
	}
	digits := []byte(whole + (cents + "000")[:3])
	up := digits[len(digits)-1] >= '5'
	digits = digits[:len(digits)-1]
	for i := len(digits) - 1; up && i >= 0; i-- {
		if up = digits[i] == '9'; up {
			digits[i] = '0'
		} else {
			digits[i]++
		}
	}
	text := string(digits)
	if up {
		text = "1" + text
	}
	whole, cents = strings.TrimLeft(text[:len(text)-2], "0"), text[len(text)-2:]
	switch {
	case whole == "" && cents == "00":
		return "0.00"
	case whole == "":
		whole = "0"
	}
	return sign + whole + "." + cents
}
