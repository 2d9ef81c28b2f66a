package order_test

import (
	"encoding/base64"
	"maps"
	"strconv"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/order"
)

func TestParseBasket(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       order.Basket
	}{
		{"nothing", "", order.Basket{}},
		{"two items", "12x2.15x1", order.Basket{"12": 2, "15": 1}},
		{"never below 0 (POS-14)", "12x-3.15x0", order.Basket{}},
		{"never above the maximum of one item", "12x1000", order.Basket{"12": 99}},
		{"numbers that overflow", "12x99999999999999999999.99999999999999999999x1", order.Basket{}},
		{"a truncated piece", "12x2.15x", order.Basket{"12": 2}},
		{"no ids below 1", "0x1.-4x1.3x1", order.Basket{"3": 1}},
		{"digits of other scripts", "١x٢.3x1", order.Basket{"3": 1}},
		{"words", "axb..x.x1.1x", order.Basket{}},
		{"the last of two quantities counts", "3x1.3x4", order.Basket{"3": 4}},
		{"0 removes the item", "3x1.3x0", order.Basket{}},
		{"options", "12~3-7x2.12~7x1", order.Basket{"12~3-7": 2, "12~7": 1}},
		{"the same options in another order", "12~7-3-7x1.12~3-7x4", order.Basket{"12~3-7": 4}},
		{"no options differ from the presets", "12~x1.12x2", order.Basket{"12~": 1, "12": 2}},
		{"notes, which may contain an x", "12~3~bm8gaWNlx1.12~~eHh4x2", order.Basket{"12~3~bm8gaWNl": 1, "12~~eHh4": 2}},
		{"options that are not numbers", "12~ax1.12~3-x1.12~-3x1.12~0x1.12~3-99999999999999999999x1", order.Basket{}},
		{"notes that are not base64url or not text", "12~~!x1.12~~_wx1.12~~x1.12~~bm8~bm8x1", order.Basket{}},
		{"a note with a card number", "12~~" + base64.RawURLEncoding.EncodeToString([]byte("4111 1111 1111 1111")) + "x1", order.Basket{}},
		{"a note that is too long", "12~~" + base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("é", 141))) + "x1", order.Basket{}},
		{"10,000 options", "12~" + strings.Repeat("1-", 9999) + "1x1.3x1", order.Basket{"3": 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := order.ParseBasket(tt.text)
			if !maps.Equal(got, tt.want) {
				t.Errorf("ParseBasket(%q) = %v, want %v", tt.text, got, tt.want)
			}
			if again := order.ParseBasket(got.String()); !maps.Equal(again, got) {
				t.Errorf("%v became %v after printing and parsing", got, again)
			}
		})
	}
}

func TestABasketHasAStableAddress(t *testing.T) {
	t.Parallel()
	basket := order.Basket{"30": 1, "2": 3, "11": 2}
	for range 20 {
		check.MustEqual(t, basket.String(), "2x3.11x2.30x1", "String()")
	}
	check.Equal(t, basket.Count(), 6, "pieces")
}

func TestAForgedBasketIsBounded(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 5000 {
		text.WriteString("." + strings.Repeat("1", i%15+1) + "x1")
		text.WriteString("." + string(rune('1'+i%9)) + strings.Repeat("0", i%17) + "x1")
	}
	if basket := order.ParseBasket(text.String()); len(basket) > 200 {
		t.Errorf("the basket holds %d items, want at most 200", len(basket))
	}
	full := order.Basket{}
	for id := range 300 {
		full.Set(order.Pick(strconv.Itoa(id+1)), 1)
	}
	full.Set("1", 5)
	full.Set("2", 0)
	if len(full) != 199 || full["1"] != 5 {
		t.Errorf("a full basket has %d items and %d of the first, want 199 and 5: its items can still be changed", len(full), full["1"])
	}
}

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"a": true, "a b~!": true, strings.Repeat("k", 255): true,
		"": false, strings.Repeat("k", 256): false, "é": false, "a\tb": false, "a\x7fb": false, "a\x00": false,
		"4111111111111111": false, "order-5555.5555.5555.4444": false, "1763842800123": true, "6f1d3c64-6c1a-4b0e-9d5e-411111111111": true,
	} {
		check.Equal(t, order.ValidKey(key), want, "ValidKey(%q)", key)
	}
}
