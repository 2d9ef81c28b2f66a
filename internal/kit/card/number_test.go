package card_test

import (
	"errors"
	"strings"
	"testing"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
)

func TestParseNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in, want string
		err            error
	}{
		{"bare", "4111111111111111", "4111111111111111", nil},
		{"spaces", "4111 1111 1111 1111", "", card.BadText},
		{"12 digits", "501800000009", "501800000009", nil},
		{"20 digits (PAY-19)", "41111111111111111115", "41111111111111111115", nil},
		{"empty", "", "", card.Missing},
		{"dashes only", "--", "", card.BadText},
		{"letters (PAY-18)", "4111 1111 1111 111a", "", card.BadText},
		{"full-width digits", "４１１１１１１１１１１１１１１１", "", card.BadText},
		{"NUL", "4111111111111111\x00", "", card.BadText},
		{"broken UTF-8", "4111111111111111\xff", "", card.BadText},
		{"11 digits", "41111111111", "", card.BadText},
		{"21 digits (PAY-19)", "411111111111111111111", "", card.BadText},
		{"a million digits", strings.Repeat("4", 1_000_000), "", card.BadText},
		{"a mistyped digit", "4111111111111112", "", card.Checksum},
		{"all zeros", "0000000000000000", "", card.Checksum},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := card.ParseNumber(tt.in)
			if n.Reveal() != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %q, %v, want %q, %v", n.Reveal(), err, tt.want, tt.err)
			}
			check.Equal(t, n.IsZero(), tt.err != nil, "IsZero")
		})
	}
}

func TestNumberParts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ in, brand, last string }{
		{"4111111111111111", card.Visa, "1111"},
		{"5555555555554444", card.Mastercard, "4444"},
		{"2223003122003222", card.Mastercard, "3222"},
		{"378282246310005", card.Amex, "0005"},
		{"6011111111111117", card.Discover, "1117"},
		{"3566002020360505", card.JCB, "0505"},
		{"30569309025904", card.Diners, "5904"},
		{"6200000000000005", card.UnionPay, "0005"},
		{"6759649826438453", card.Maestro, "8453"},
		{"501800000009", card.Maestro, "0009"},
		{"9999999999999995", "", "9995"},
	} {
		n, err := card.ParseNumber(tt.in)
		check.NoError(t, err, "%s", tt.in)
		if n.Brand() != tt.brand || n.LastFour() != tt.last {
			t.Errorf("%s: got %q %q, want %q %q", tt.in, n.Brand(), n.LastFour(), tt.brand, tt.last)
		}
	}
	var zero card.Number
	check.Equal(t, zero.Brand()+zero.LastFour()+zero.Reveal(), "", "the zero number has parts")
}

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"4111111111111111", "", "-", "４１１１", "000000000000", "41111111111111111115"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := card.ParseNumber(s)
		if err != nil {
			if len(s) > 3 && strings.Contains(err.Error(), s) {
				t.Fatalf("the error repeats the input: %v", err)
			}
			return
		}
		digits := n.Reveal()
		if len(digits) < 12 || len(digits) > 20 || strings.Trim(digits, "0123456789") != "" {
			t.Fatalf("%q became %q", s, digits)
		}
		if !strings.HasSuffix(digits, n.LastFour()) {
			t.Fatalf("%q ends in %q", s, n.LastFour())
		}
	})
}

func TestParseCVC(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, want string
		err      error
	}{
		{"123", "123", nil}, {"1234", "1234", nil}, {"012", "012", nil},
		{"", "", card.Missing},
		{"12", "", card.BadText}, {"12345", "", card.BadText}, {"12a", "", card.BadText},
		{"1 23", "", card.BadText}, {"１２", "", card.BadText}, {"-12", "", card.BadText},
	} {
		c, err := card.ParseCVC(tt.in)
		if c.Reveal() != tt.want || !errors.Is(err, tt.err) || c.IsZero() != (err != nil) {
			t.Errorf("ParseCVC(%q) = %q, %v, want %q, %v", tt.in, c.Reveal(), err, tt.want, tt.err)
		}
	}
}
