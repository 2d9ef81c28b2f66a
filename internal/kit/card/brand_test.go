package card

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

func TestThePaymentPageHasTheSameFirstDigits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../islands/pay/card-form/brands.ts")
	check.Must(t, err)
	var want strings.Builder
	for _, p := range prefixes {
		fmt.Fprintf(&want, "  { low: %d, high: %d, mark: %q, name: %q },\n", p.low, p.high, p.brand, BrandName(p.brand))
	}
	check.Contains(t, string(text), "[\n"+want.String()+"];", "brands.ts should have\n%s", want.String())
}
