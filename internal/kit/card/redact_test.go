package card_test

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
)

const canary = "4000056655665556"

// held keeps card data where fmt may not call its methods.
type held struct {
	number card.Number
	cvc    card.CVC
	typed  card.Typed
}

// panicked returns what a program that recovers from a panic sees of its value.
func panicked(value any) (err error) {
	defer func() { err = fmt.Errorf("%v %+v %#v", recover(), value, value) }()
	panic(value)
}

func TestCardDataIsNeverPrinted(t *testing.T) {
	t.Parallel()
	number, err := card.ParseNumber(canary)
	check.Must(t, err)
	cvc, err := card.ParseCVC("8642")
	check.Must(t, err)
	typed := card.Type(canary)
	all := held{number, cvc, typed}
	values := []any{
		number, &number, cvc, &cvc, typed, &typed, all, &all, []held{all}, map[card.Number]held{number: all},
		struct {
			Number card.Number
			CVC    *card.CVC
		}{number, &cvc},
		map[string]any{"pan": number, "cvc": cvc}, []any{number, cvc}, fmt.Errorf("wrapped: %v %v", number, cvc),
		errors.Join(fmt.Errorf("%s", number), fmt.Errorf("%q", typed)), url.Values{"card": {fmt.Sprint(number)}, "cvc": {cvc.String()}},
		slog.Group("card", "number", number, "typed", typed), panicked(number), panicked(all),
	}
	var out bytes.Buffer
	for _, v := range values {
		for _, verb := range strings.Split("v +v #v s q x X d t T U c p e b o 20s -9v .2s 08d", " ") {
			fmt.Fprintf(&out, "%"+verb+"\n", v)
		}
		fmt.Fprintln(&out, v)
		marshalled, err := json.Marshal(v)
		check.NoError(t, err, "json.Marshal(%T)", v)
		out.Write(marshalled)
		slog.New(slog.NewTextHandler(&out, nil)).Info("card", "value", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("card", "value", v)
	}
	fmt.Fprint(&out, number.String(), number.GoString(), typed.String(), typed.GoString(), cvc.String(), cvc.GoString())
	for _, leak := range []string{canary, "4000 0566 5566 5556", "8642", fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary), fmt.Sprintf("%x", "8642")} {
		// Addresses and times are printed too and may contain four digits by chance, so look for whole words.
		if regexp.MustCompile(`(^|[^0-9a-fA-F.])` + leak + `([^0-9a-fA-F]|$)`).Match(out.Bytes()) {
			t.Errorf("%q was printed", leak)
		}
	}
	check.Contains(t, out.String(), "[redacted]", "[redacted] was not printed")
	check.Equal(t, fmt.Sprintf("%s|%v|%q|%x", number, cvc, number, cvc), "[redacted]|[redacted]|[redacted]|[redacted]", "… was printed")
}

func TestCardDataCannotBeAQueryArgument(t *testing.T) {
	t.Parallel()
	number, _ := card.ParseNumber(canary)
	cvc, _ := card.ParseCVC("864")
	for _, v := range []driver.Valuer{number, cvc} {
		if got, err := v.Value(); got != nil || !errors.Is(err, secret.ErrStored) {
			t.Errorf("%T.Value() = %v, %v", v, got, err)
		}
	}
}

func TestTypedCardDataIsHiddenToo(t *testing.T) {
	t.Parallel()
	var request struct {
		PAN, CVC, None, Null card.Typed
	}
	check.Must(t, json.Unmarshal([]byte(`{"pan":"`+canary+`","cvc":"8642","null":null}`), &request))
	if request.PAN.Reveal() != canary || request.CVC.Reveal() != "8642" || request.None.Reveal()+request.Null.Reveal() != "" {
		t.Error("the decoded JSON differs from the input")
	}
	for _, wrong := range []string{canary, "[8642]", `{"pan":"8642"}`, "true"} {
		check.Error(t, json.Unmarshal([]byte(wrong), &request.PAN), "%s was accepted as text", wrong)
	}
	_, err := request.PAN.Value()
	check.ErrorIs(t, err, secret.ErrStored, "it may be stored: Value returned")
}

func TestMayHoldNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		canary: true, "4000 0566 5566 5556": true, "4000-0566.5566/5556": true, "Pat 4000056655665556 Payer": true, "４０００ ０５６６ ５５６６": true,
		"501800000009": true, "": false, "Pat Payer": false, "Pat Payer 3rd": false, "Louis XIV 1638-1715": false, "0412 345 678": false, "50180000000": false,
	} {
		check.Equal(t, card.MayHoldNumber(text), want, "MayHoldNumber(%q)", text)
	}
}
