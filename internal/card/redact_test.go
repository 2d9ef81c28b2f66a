package card_test

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"forecourt/internal/card"
)

const canary = "4000056655665556"

// held keeps card data where fmt may not call its methods.
type held struct {
	number card.Number
	cvc    card.CVC
}

func TestCardDataIsNeverPrinted(t *testing.T) {
	t.Parallel()
	number, err := card.ParseNumber(canary)
	if err != nil {
		t.Fatal(err)
	}
	cvc, err := card.ParseCVC("8642")
	if err != nil {
		t.Fatal(err)
	}
	values := []any{
		number, &number, cvc, &cvc, held{number, cvc}, &held{number, cvc}, []held{{number, cvc}},
		struct {
			Number card.Number
			CVC    *card.CVC
		}{number, &cvc},
		map[string]any{"pan": number, "cvc": cvc}, []any{number, cvc}, fmt.Errorf("wrapped: %v %v", number, cvc),
	}
	var out bytes.Buffer
	for _, v := range values {
		for _, verb := range strings.Split("v +v #v s q x X d t T U c p e b o 20s -9v .2s 08d", " ") {
			fmt.Fprintf(&out, "%"+verb+"\n", v)
		}
		fmt.Fprintln(&out, v)
		marshalled, err := json.Marshal(v)
		if err != nil {
			t.Errorf("json.Marshal(%T): %v", v, err)
		}
		out.Write(marshalled)
		slog.New(slog.NewTextHandler(&out, nil)).Info("card", "value", v)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("card", "value", v)
	}
	fmt.Fprint(&out, number.String(), number.GoString(), cvc.String(), cvc.GoString())
	for _, leak := range []string{canary, number.Grouped(), "8642", fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary), fmt.Sprintf("%x", "8642")} {
		// Addresses and times are printed too, and may hold four digits by chance: look for whole words.
		if regexp.MustCompile(`(^|[^0-9a-fA-F.])` + leak + `([^0-9a-fA-F]|$)`).Match(out.Bytes()) {
			t.Errorf("%q was printed", leak)
		}
	}
	if !strings.Contains(out.String(), "[redacted]") {
		t.Error("nothing says [redacted]")
	}
	if got := fmt.Sprintf("%s|%v|%q|%x", number, cvc, number, cvc); got != "[redacted]|[redacted]|[redacted]|[redacted]" {
		t.Errorf("printed as %s", got)
	}
}

func TestCardDataIsNoQueryArgument(t *testing.T) {
	t.Parallel()
	number, _ := card.ParseNumber(canary)
	cvc, _ := card.ParseCVC("864")
	for _, v := range []driver.Valuer{number, cvc} {
		if got, err := v.Value(); got != nil || !errors.Is(err, card.ErrStored) {
			t.Errorf("%T.Value() = %v, %v", v, got, err)
		}
	}
}
