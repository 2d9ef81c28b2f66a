package order_test

import (
	"slices"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/order"
)

func TestTheMenuShowsWhatIsAvailable(t *testing.T) {
	t.Parallel()
	s := open(t)
	dbtest.Exec(t, s, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
	menu, err := s.menus.Menu(t.Context(), "panezski")
	check.Must(t, err)
	var headings, items []string
	for _, category := range menu.Categories {
		headings = append(headings, category.Name)
		for _, item := range category.Items {
			items = append(items, item.Name)
		}
	}
	if slices.Contains(items, "Birthday Cake Slice") {
		t.Error("POS-06 an unavailable item is listed")
	}
	if slices.Contains(headings, "Sunday roast") {
		t.Error("POS-07 a category without available items is listed")
	}
	if !slices.Contains(items, "Cherry Pie") {
		t.Error("a sold-out item is missing from the menu")
	}
	if headings[0] != "From the oven" || items[0] != "Butter Croissant" {
		t.Errorf("POS-05 it starts with %q, %q", headings[0], items[0])
	}
	if lamb := s.item(t, "Roast Lamb Shank"); menu.Item(lamb) == nil || menu.Item(lamb).Available {
		t.Error("Item does not return a switched-off item as unavailable")
	}
}

func TestUnknownMerchants(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, code := range []string{"nosuch", "", "PANEZSKI", "panezski ", "pan\x00ezski", "\xff"} {
		_, err := s.menus.Menu(t.Context(), code)
		check.Equal(t, fault.CodeOf(err), fault.NotFound, "POS-25 %q: %v, want not found", code, err)
	}
}

func TestAMenuIsCachedUntilItChanges(t *testing.T) {
	t.Parallel()
	s := open(t)
	menu := func() *order.Menu {
		m, err := s.menus.Menu(t.Context(), "panezski")
		check.Must(t, err)
		return m
	}
	first := menu()
	fresh, err := s.menus.Fresh(t.Context(), "panezski")
	if err != nil || fresh != first {
		t.Error("reading an unchanged menu again returned another one")
	}
	dbtest.Exec(t, s, "UPDATE item SET price_minor = 560 WHERE name = 'Butter Croissant'")
	apptest.Eventually(t, "the new price is on the menu", func() bool {
		return menu().Categories[0].Items[0].Price == 560
	})
	check.Equal(t, first.Categories[0].Items[0].Price, 550, "the old menu changed while it was in use")
	dbtest.Exec(t, s, "DELETE FROM shop_account WHERE shop_code = 'panezski'")
	dbtest.Exec(t, s, "DELETE FROM shop WHERE code = 'panezski'")
	_, err = s.menus.Fresh(t.Context(), "panezski")
	check.Equal(t, fault.CodeOf(err), fault.NotFound, "Fresh for a removed merchant: %v", err)
	_, err = s.menus.Menu(t.Context(), "panezski")
	check.Equal(t, fault.CodeOf(err), fault.NotFound, "Menu for a removed merchant: %v", err)
}
