package order_test

import (
	"encoding/base64"
	"maps"
	"strconv"
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
		{"two items", "12x2.15x1", order.Basket{"12": 2, "15": 1}},
		{"POS-14 never below 0", "12x-3.15x0", order.Basket{}},
		{"never above the most of one item", "12x1000", order.Basket{"12": 99}},
		{"more than any number", "12x99999999999999999999.99999999999999999999x1", order.Basket{}},
		{"a piece cut off", "12x2.15x", order.Basket{"12": 2}},
		{"no ids below 1", "0x1.-4x1.3x1", order.Basket{"3": 1}},
		{"digits of other scripts", "١x٢.3x1", order.Basket{"3": 1}},
		{"words", "axb..x.x1.1x", order.Basket{}},
		{"the last of two quantities holds", "3x1.3x4", order.Basket{"3": 4}},
		{"0 takes out", "3x1.3x0", order.Basket{}},
		{"options", "12~3-7x2.12~7x1", order.Basket{"12~3-7": 2, "12~7": 1}},
		{"options in any order, twice", "12~7-3-7x1.12~3-7x4", order.Basket{"12~3-7": 4}},
		{"no options is not what is preset", "12~x1.12x2", order.Basket{"12~": 1, "12": 2}},
		{"a note, whose letters may have an x", "12~3~bm8gaWNlx1.12~~eHh4x2", order.Basket{"12~3~bm8gaWNl": 1, "12~~eHh4": 2}},
		{"options that are not numbers", "12~ax1.12~3-x1.12~-3x1.12~0x1.12~3-99999999999999999999x1", order.Basket{}},
		{"a note that is not base64url, or no text", "12~~!x1.12~~_wx1.12~~x1.12~~AAx1.12~~bm8~bm8x1", order.Basket{}},
		{"a note with a card number", "12~~" + base64.RawURLEncoding.EncodeToString([]byte("4111 1111 1111 1111")) + "x1", order.Basket{}},
		{"a note that is too long", "12~~" + base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("é", 141))) + "x1", order.Basket{}},
		{"10,000 options", "12~" + strings.Repeat("1-", 9999) + "1x1.3x1", order.Basket{"3": 1}},
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
	basket := order.Basket{"30": 1, "2": 3, "11": 2}
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
	for id := range 300 {
		full.Set(order.Pick(strconv.Itoa(id+1)), 1)
	}
	full.Set("1", 5)
	full.Set("2", 0)
	if len(full) != 199 || full["1"] != 5 {
		t.Errorf("a full basket has %d items and %d of the first; what is in it can still be changed", len(full), full["1"])
	}
}

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"a": true, "a b~!": true, strings.Repeat("k", 255): true,
		"": false, strings.Repeat("k", 256): false, "é": false, "a\tb": false, "a\x7fb": false, "a\x00": false,
		"4111111111111111": false, "order-5555.5555.5555.4444": false, "1763842800123": true, "6f1d3c64-6c1a-4b0e-9d5e-411111111111": true,
	} {
		if got := order.ValidKey(key); got != want {
			t.Errorf("ValidKey(%q) is %v", key, got)
		}
	}
}
