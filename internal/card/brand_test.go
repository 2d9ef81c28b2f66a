package card

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestThePaymentPageHasTheSameFirstDigits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../islands/pay/card-form/brands.ts")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for _, p := range prefixes {
		fmt.Fprintf(&want, "  { low: %d, high: %d, mark: %q, name: %q },\n", p.low, p.high, p.brand, BrandName(p.brand))
	}
	if !strings.Contains(string(text), "[\n"+want.String()+"];") {
		t.Errorf("brands.ts should have\n%s", want.String())
	}
}
