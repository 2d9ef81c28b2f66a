package order_test

import (
	"maps"
	"strings"
	"testing"

	"forecourt/internal/order"
)

func TestBasketInAnAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       order.Basket
	}{
		{"nothing", "", order.Basket{}},
		{"two items", "12x2.15x1", order.Basket{12: 2, 15: 1}},
		{"POS-14 never below 0", "12x-3.15x0", order.Basket{}},
		{"never above the most of one item", "12x1000", order.Basket{12: 99}},
		{"more than any number", "12x99999999999999999999.99999999999999999999x1", order.Basket{}},
		{"a piece cut off", "12x2.15x", order.Basket{12: 2}},
		{"no ids below 1", "0x1.-4x1.3x1", order.Basket{3: 1}},
		{"digits of other scripts", "١x٢.3x1", order.Basket{3: 1}},
		{"words", "axb..x.x1.1x", order.Basket{}},
		{"the last of two quantities holds", "3x1.3x4", order.Basket{3: 4}},
		{"0 takes out", "3x1.3x0", order.Basket{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := order.ParseBasket(tt.text)
			if !maps.Equal(got, tt.want) {
				t.Errorf("%q reads as %v, want %v", tt.text, got, tt.want)
			}
			if again := order.ParseBasket(got.String()); !maps.Equal(again, got) {
				t.Errorf("%v printed and read is %v", got, again)
			}
		})
	}
}

func TestABasketHasAStableAddress(t *testing.T) {
	t.Parallel()
	basket := order.Basket{30: 1, 2: 3, 11: 2}
	for range 20 {
		if got := basket.String(); got != "2x3.11x2.30x1" {
			t.Fatalf("printed as %q", got)
		}
	}
	if count := basket.Count(); count != 6 {
		t.Errorf("%d pieces, want 6", count)
	}
}

func TestABasketThatSomebodyMadeUpIsBounded(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 5000 {
		text.WriteString("." + strings.Repeat("1", i%15+1) + "x1")
		text.WriteString("." + string(rune('1'+i%9)) + strings.Repeat("0", i%17) + "x1")
	}
	if basket := order.ParseBasket(text.String()); len(basket) > 200 {
		t.Errorf("it holds %d items", len(basket))
	}
	full := order.Basket{}
	for id := range int64(300) {
		full.Set(id+1, 1)
	}
	full.Set(1, 5)
	full.Set(2, 0)
	if len(full) != 199 || full[1] != 5 {
		t.Errorf("a full basket has %d items and %d of the first; what is in it can still be changed", len(full), full[1])
	}
}

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"a": true, "a b~!": true, strings.Repeat("k", 255): true,
		"": false, strings.Repeat("k", 256): false, "é": false, "a\tb": false, "a\x7fb": false, "a\x00": false,
	} {
		if got := order.ValidKey(key); got != want {
			t.Errorf("ValidKey(%q) is %v", key, got)
		}
	}
}
