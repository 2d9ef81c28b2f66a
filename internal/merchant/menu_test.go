package merchant_test

import (
	"errors"
	"strings"
	"testing"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
	"forecourt/internal/merchant"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const file = `{"email": "orders@example.com", "categories": [{"name": "Bakery", "items": [
	{"name": "Bun", "priceMinor": 450}, {"name": "Toast", "priceMinor": 900, "loc": "Grill", "available": false}]}]}`

func TestAMerchantSellsOnceItHasAMenu(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	queries := db.New(pool)
	if err := merchant.SetLive(t.Context(), pool, demo.MerchantCode, true); !errors.Is(err, merchant.ErrNoMenu) {
		t.Errorf("live without a menu: %v", err)
	}
	for _, text := range []string{file, strings.Replace(file, "Bun", "Roll", 1)} {
		f, err := merchant.ReadMenu(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, f, account.Verification{}); err != nil {
			t.Fatal(err)
		}
	}
	client, err := queries.ClientGet(t.Context(), demo.MerchantCode)
	if err != nil || client.Live || client.Mail != "orders@example.com" {
		t.Errorf("the business is %+v, %v", client, err)
	}
	items, err := queries.ItemListByClient(t.Context(), demo.MerchantCode)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		if want := i.Name == "Roll"; i.Available != want {
			t.Errorf("%s is available: %t", i.Name, i.Available)
		}
	}
	if len(items) != 3 {
		t.Errorf("%d items", len(items))
	}
	admin, err := queries.AccountByEmail(t.Context(), demo.Email)
	if err != nil {
		t.Fatal(err)
	}
	if row, err := queries.ShopEnter(t.Context(), demo.MerchantCode, admin.ID); err != nil || row.Role != "owner" {
		t.Errorf("SEC-08 the merchant's admin owns its shop: %q, %v", row.Role, err)
	}
	if err := merchant.SetLive(t.Context(), pool, demo.MerchantCode, true); err != nil {
		t.Error(err)
	}
	if client, _ := queries.ClientGet(t.Context(), demo.MerchantCode); !client.Live {
		t.Error("it is not live")
	}
	f, _ := merchant.ReadMenu(strings.NewReader(file))
	if err := merchant.ImportMenu(t.Context(), pool, "nobody", f, account.Verification{}); !errors.Is(err, merchant.ErrMerchant) {
		t.Errorf("of nobody: %v", err)
	}
}

func TestFilesThatAreNoMenu(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"no JSON": "x", "nothing to sell": `{"categories": []}`, "an unknown field": `{"categorys": []}`,
		"a price below zero": strings.Replace(file, "450", "-1", 1), "no price": strings.Replace(file, `, "priceMinor": 450`, "", 1), "a name twice": strings.Replace(file, "Toast", "Bun", 1),
		"a currency without decimals": strings.Replace(file, "{", `{"currency": "JPY", `, 1),
		"an address in brackets":      strings.Replace(file, "orders@example.com", "a1<target@x.co>", 1),
		"a colour":                    strings.Replace(file, "{", `{"accent": "red", `, 1),
	} {
		if _, err := merchant.ReadMenu(strings.NewReader(text)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}
