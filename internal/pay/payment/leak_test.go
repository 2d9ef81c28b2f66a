package payment_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/pay/payment"
)

func TestACardFormIsNeverPrinted(t *testing.T) {
	t.Parallel()
	const number, code = "4929180374652816", "7391"
	input := payment.CardInput{Name: "Pat Payer", Number: card.Type(number), Expiry: "12/34", CVC: card.Type(code)}
	checked, problems := input.Check(time.Now())
	if len(problems) > 0 || checked.Number.Reveal() != number || checked.CVC.Reveal() != code {
		t.Fatal(problems)
	}
	hidden := struct {
		input payment.CardInput
		card  *payment.Card
	}{input, &checked}
	var out bytes.Buffer
	for _, value := range []any{input, &input, checked, &checked, hidden, []payment.CardInput{input}, map[string]any{"card": checked}} {
		for _, verb := range strings.Split("v +v #v s q x X d", " ") {
			fmt.Fprintf(&out, "%"+verb+"\n", value)
		}
		marshalled, err := json.Marshal(value)
		check.NoError(t, err)
		out.Write(marshalled)
		slog.New(slog.NewTextHandler(&out, nil)).Info("card", "value", value)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("card", "value", value)
	}
	for _, leak := range []string{number, fmt.Sprintf("%x", number), `"` + code + `"`, " " + code + " ", ":" + code + " "} {
		check.Lacks(t, out.String(), leak, "… was printed")
	}
	check.Contains(t, out.String(), "Pat Payer", "nothing was printed, not even the name")
}

func TestANumberInTheNameIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"4929180374652816", "4929 1803 7465 2816", "Pat 4929-1803-7465-2816", "４９２９１８０３７４６５２８１６"} {
		input := payment.CardInput{Name: name, Number: card.Type("4929180374652816"), Expiry: "12/34", CVC: card.Type("7391")}
		if _, problems := input.Check(time.Now()); problems["name"] != card.BadText || len(problems) != 1 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
