package order_test

import (
	"testing"

	"forecourt/internal/order"
)

func TestIsPaylink(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		trxRef, source string
		want           bool
	}{
		{"", "diy-pos", false},
		{"anything", "diy-pos", false},
		{"POS", "", false},
		{"QR", "till", false},
		{"", "", false},
		{"INV-2041", "", true},
		{"pos", "till", true},
	} {
		if got := order.IsPaylink(tt.trxRef, tt.source); got != tt.want {
			t.Errorf("PAY-49 trxRef %q, source %q: %v, want %v", tt.trxRef, tt.source, got, tt.want)
		}
	}
}
