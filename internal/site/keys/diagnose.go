package keys

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
)

// Mistake names a common way of getting a key wrong.
type Mistake string

// The mistakes that Diagnose knows; views/demo words them.
const (
	UpperHex         Mistake = "upper-hex"
	SpaceAroundKey   Mistake = "space-around-key"
	Base64           Mistake = "base64"
	OtherHash        Mistake = "other-hash"
	CurrencyLower    Mistake = "currency-lower"
	AmountNotFixed   Mistake = "amount-not-fixed"
	AmountMinor      Mistake = "amount-minor"
	AmountComma      Mistake = "amount-comma"
	AmountGrouped    Mistake = "amount-grouped"
	SecretSwapped    Mistake = "secret-swapped"
	SecretFirst      Mistake = "secret-first"
	AmountFirst      Mistake = "amount-first"
	SecretMissing    Mistake = "secret-missing"
	SecretSpace      Mistake = "secret-space"
	ReferenceSpace   Mistake = "reference-space"
	ReferenceMissing Mistake = "reference-missing"
	NewlineAtEnd     Mistake = "newline"
	Separator        Mistake = "separator"
	MD5              Mistake = "md5"
	Empty            Mistake = "empty"
	Unknown          Mistake = "unknown"
)

// Diagnose says why given is not the key of in: the smallest set of common mistakes that explains it, or Unknown if none does. No
// mistakes means that it is the key.
func Diagnose(h Hash, in Input, given string) []Mistake {
	if Equal(given, in.Key(h)) {
		return nil
	}
	trimmed := strings.Trim(given, " \t\r\n")
	var seen []Mistake
	if trimmed == "" {
		return []Mistake{Empty}
	}
	if trimmed != given {
		seen = append(seen, SpaceAroundKey)
	}
	for _, c := range candidates(in) {
		for _, made := range []Hash{h, other(h)} {
			how := slices.Clone(c.mistakes)
			if made != h {
				how = append(how, OtherHash)
			}
			digest := Sum(made, c.preimage)
			switch {
			case Equal(trimmed, digest):
			case Equal(strings.ToLower(trimmed), digest):
				how = append(how, UpperHex)
			case Equal(trimmed, base64.StdEncoding.EncodeToString(sum(made, c.preimage))):
				how = append(how, Base64)
			default:
				continue
			}
			return append(how, seen...)
		}
	}
	if len(trimmed) == 32 && strings.Trim(strings.ToLower(trimmed), "0123456789abcdef") == "" {
		return []Mistake{MD5}
	}
	return []Mistake{Unknown}
}

func other(h Hash) Hash {
	if h == SHA1 {
		return SHA256
	}
	return SHA1
}

type candidate struct {
	preimage string
	mistakes []Mistake
}

// variant is a part of the preimage as a mistake changes it; without a mistake it is the correct part.
type variant struct {
	text    string
	mistake Mistake
}

// candidates returns the preimages that common mistakes lead to, each once, those with the fewest mistakes first.
func candidates(in Input) []candidate {
	var all []candidate
	for _, currency := range currencies(in.Currency) {
		for _, amount := range amounts(in.Amount) {
			for _, whole := range arrangements(currency.text, amount.text, in.Reference, in.Secret.Reveal()) {
				c := candidate{preimage: whole.text}
				for _, m := range []Mistake{currency.mistake, amount.mistake, whole.mistake} {
					if m != "" {
						c.mistakes = append(c.mistakes, m)
					}
				}
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(len(a.mistakes), len(b.mistakes)) })
	return all
}

func currencies(typed string) []variant {
	return []variant{{Currency(typed), ""}, {strings.ToLower(typed), CurrencyLower}}
}

func amounts(typed string) []variant {
	fixed := Amount(typed)
	whole, cents, _ := strings.Cut(fixed, ".")
	short := strings.TrimSuffix(strings.TrimRight(fixed, "0"), ".")
	minor := strings.TrimLeft(whole+cents, "0")
	return []variant{
		{fixed, ""}, {typed, AmountNotFixed}, {short, AmountNotFixed}, {minor, AmountMinor}, {whole + "," + cents, AmountComma},
		{grouped(whole) + "." + cents, AmountGrouped},
	}
}

func grouped(whole string) string {
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole
}

func arrangements(currency, amount, reference, secret string) []variant {
	right := currency + amount + reference + secret
	all := []variant{
		{right, ""},
		{currency + amount + secret + reference, SecretSwapped},
		{secret + currency + amount + reference, SecretFirst},
		{amount + currency + reference + secret, AmountFirst},
		{currency + amount + reference, SecretMissing},
		{currency + amount + secret, ReferenceMissing},
		{right + "\n", NewlineAtEnd},
		{right + " ", SecretSpace},
		{currency + amount + reference + strings.Trim(secret, " \t\r\n"), SecretSpace},
		{currency + amount + reference + " " + secret, ReferenceSpace},
		{currency + amount + strings.Trim(reference, " \t\r\n") + secret, ReferenceSpace},
	}
	for _, between := range []string{" ", "-", "_", "|", ":", ",", ".", "&", "+"} {
		all = append(all, variant{strings.Join([]string{currency, amount, reference, secret}, between), Separator})
	}
	return all
}
