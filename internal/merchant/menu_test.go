package merchant_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
	"forecourt/internal/mail"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	"forecourt/internal/merchant"
	"forecourt/internal/shop"
	"forecourt/internal/shop/shopstore"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const file = `{"email": "orders@example.com", "categories": [{"name": "Bakery", "items": [
	{"name": "Bun", "priceMinor": 450}, {"name": "Toast", "priceMinor": 900, "loc": "Grill", "available": false}]}]}`

func TestAMerchantCanSellOnceItHasAMenu(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	queries := db.New(pool)
	golive := goLiveOf(t, pool)
	if err := golive.Operate(t.Context(), demo.MerchantCode, true, true); !errors.Is(err, shop.ErrMissing) {
		t.Errorf("live without a menu: %v", err)
	}
	for _, text := range []string{file, strings.Replace(file, "Bun", "Roll", 1)} {
		if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, []byte(text)); err != nil {
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
			t.Errorf("%s is available = %t", i.Name, i.Available)
		}
	}
	if len(items) != 3 {
		t.Errorf("%d items", len(items))
	}
	admin, err := queries.AccountByEmail(t.Context(), demo.Email)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("the merchant's admin owns its shop (SEC-08)", func(t *testing.T) {
		if row, err := queries.ShopEnter(t.Context(), demo.MerchantCode, admin.ID); err != nil || row.Role != "owner" {
			t.Errorf("the merchant's admin has the role %q in its shop, %v", row.Role, err)
		}
	})
	if err := golive.Operate(t.Context(), demo.MerchantCode, true, false); !errors.Is(err, shop.ErrNotReady) {
		t.Errorf("live without review: %v", err)
	}
	if err := golive.Operate(t.Context(), demo.MerchantCode, true, true); err != nil {
		t.Error(err)
	}
	if client, _ := queries.ClientGet(t.Context(), demo.MerchantCode); !client.Live {
		t.Error("the business is not live")
	}
	var noted string
	if err := pool.QueryRow(t.Context(), "SELECT actor || ': ' || action || ', ' || reason FROM audit WHERE subject = 'going live ' || $1::text", demo.MerchantCode).Scan(&noted); err != nil ||
		!strings.HasPrefix(noted, `operator: live payments on, without review, missing: ["test order" "application" `) {
		t.Errorf("the audit log says %q, %v", noted, err)
	}
	if err := merchant.ImportMenu(t.Context(), pool, "nobody", []byte(file)); !errors.Is(err, merchant.ErrMerchant) {
		t.Errorf("importing for an unknown merchant: %v", err)
	}
}

func goLiveOf(t *testing.T, pool *pgxpool.Pool) *shopstore.GoLive {
	t.Helper()
	queue, err := mail.NewQueue(pool)
	if err != nil {
		t.Fatal(err)
	}
	return shopstore.NewGoLive(pool, shopstore.New(pool, nil, account.Verification{}), queue, func(string) {})
}

func TestReadMenuRefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"not JSON": "x", "nothing to sell": `{"categories": []}`, "an unknown field": `{"categorys": []}`,
		"a price below zero": strings.Replace(file, "450", "-1", 1), "no price": strings.Replace(file, `, "priceMinor": 450`, "", 1), "a name twice": strings.Replace(file, "Toast", "Bun", 1),
		"a currency without decimals": strings.Replace(file, "{", `{"currency": "JPY", `, 1),
		"an address in brackets":      strings.Replace(file, "orders@example.com", "a1<target@x.co>", 1),
		"a table without prices":      "category,name\nBakery,Bun\n", "an invalid price in a table": "category,name,price\nBakery,Bun,dear\n",
		"a colour": strings.Replace(file, "{", `{"accent": "red", `, 1),
	} {
		if _, err := merchant.ReadMenu([]byte(text), menu.Menu{}); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

// A file that the desk exported gives the same menu and leaves the rest of the business unchanged.
func TestTheCommandImportsWhatTheDeskExports(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, []byte(strings.Replace(file, "{", `{"tagline": "Bread", "accent": "#112233", "currency": "NZD", "abn": "51 824 753 556", `, 1))); err != nil {
		t.Fatal(err)
	}
	state := func() (row db.Client, now menu.Menu) {
		row, err := db.New(pool).ClientGet(t.Context(), demo.MerchantCode)
		if err == nil {
			err = pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) (err error) {
				now, err = menustore.Published(t.Context(), tx, demo.MerchantCode)
				return err
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		return row, now
	}
	const more = "category,name,price,choice of,choose,preset,option groups,hours,allergens,note\n" +
		"Bakery,Bun,4.50,,,,Filling,Mon-Fri 07:00-11:00,wheat,60\n,Cheese,0.50,Filling,1,yes,,,,\n,None,0,Filling,,,,,,\n"
	if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, []byte(more)); err != nil {
		t.Fatal(err)
	}
	before, was := state()
	if was.Count() != 1 || len(was.Groups) != 1 || was.Categories[0].Items[0].Loc != "Kitchen" || before.Tagline != "Bread" || before.Accent != "#112233" {
		t.Fatalf("from a table: %+v %+v", was, before)
	}
	var sheet bytes.Buffer
	if err := was.WriteCSV(&sheet); err != nil {
		t.Fatal(err)
	}
	text, err := was.WriteJSON()
	if err != nil {
		t.Fatal(err)
	}
	for name, exported := range map[string][]byte{"JSON": text, "CSV": sheet.Bytes()} {
		if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, exported); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		after, is := state()
		if !reflect.DeepEqual(is.Clone(), was.Clone()) || !reflect.DeepEqual(after, before) {
			t.Errorf("%s:\n%+v\n%+v\n%+v\n%+v", name, is, was, after, before)
		}
	}
}

// TestATestShopNeedsNoVerifiedAddress imports a menu for the merchant of an owner whose address is not verified and who shares it with
// another such admin. Making a shop on the site follows the same rule (handlers/desk).
func TestATestShopNeedsNoVerifiedAddress(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	for _, statement := range []string{
		"INSERT INTO account (id, email, password_hash) SELECT md5(e)::uuid, e, '' FROM unnest(ARRAY['maker@example.com', 'other@example.com']) e",
		"INSERT INTO merchant (uuid, uid, code, name, mid) VALUES (md5('corner')::uuid, md5('maker@example.com')::uuid, 'corner', 'Corner', 'corner')",
		"INSERT INTO merchant_admin SELECT md5('corner')::uuid, id FROM account WHERE email IN ('maker@example.com', 'other@example.com')",
	} {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := merchant.ImportMenu(t.Context(), pool, "corner", []byte(file)); err != nil {
		t.Fatal(err)
	}
	team := func() (emails []string) {
		rows, err := pool.Query(t.Context(), "SELECT a.email FROM client_admin x JOIN account a ON a.id = x.account_id WHERE x.client_code = 'corner' ORDER BY 1")
		if err == nil {
			emails, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		if err != nil {
			t.Fatal(err)
		}
		return emails
	}
	if got := team(); !slices.Equal(got, []string{"maker@example.com"}) {
		t.Errorf("the test shop's team is %q, want the person who made its merchant", got)
	}
	golive := goLiveOf(t, pool)
	err := golive.Operate(t.Context(), "corner", true, true)
	var missing *shopstore.MissingError
	if !errors.As(err, &missing) || !slices.Equal(missing.Unverified, []string{"maker@example.com"}) {
		t.Errorf("going live with an unverified owner: %v", err)
	}
	if client, _ := db.New(pool).ClientGet(t.Context(), "corner"); client.Live {
		t.Error("the business is live")
	}
	for _, email := range []string{"maker@example.com", "other@example.com"} {
		var id uuid.UUID
		err := pool.QueryRow(t.Context(), "SELECT id FROM account WHERE email = $1", email).Scan(&id)
		if err := errors.Join(err, db.New(pool).AccountVerify(t.Context(), id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := golive.Operate(t.Context(), "corner", true, true); err != nil {
		t.Error(err)
	}
	if got := team(); !slices.Equal(got, []string{"maker@example.com", "other@example.com"}) {
		t.Errorf("once both addresses are verified, the team is %q", got)
	}
	for _, statement := range []string{
		"INSERT INTO account (id, email, password_hash) VALUES (md5('late@example.com')::uuid, 'late@example.com', '')",
		"INSERT INTO merchant_admin VALUES (md5('corner')::uuid, md5('late@example.com')::uuid)",
		"INSERT INTO compliance (id, name, client_code, applicant) VALUES ('corner', 'Corner', 'corner', md5('maker@example.com')::uuid)",
	} {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	var late uuid.UUID
	err = pool.QueryRow(t.Context(), "SELECT id FROM account WHERE email = 'late@example.com'").Scan(&late)
	if err := errors.Join(err, db.New(pool).AccountVerify(t.Context(), late)); err != nil {
		t.Fatal(err)
	}
	if got := team(); len(got) != 2 {
		t.Errorf("after the application was accepted, an address is verified, and the team is %q", got)
	}
}

func TestTheCommandImportsOnlyPicturesOfItsBusiness(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	const add = "INSERT INTO picture (hash, client_code, small, large) VALUES (repeat('a', 32), $1, '', '')"
	shown := strings.Replace(file, "450", `450, "picture": "/picture/`+strings.Repeat("a", 32)+`"`, 1)
	if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, []byte(file)); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), add, demo.Client); err != nil {
		t.Fatal(err)
	}
	if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, []byte(shown)); err == nil || err.Error() != "Bun: The business has no such picture. Upload it again, or leave it out." {
		t.Errorf("a picture of another business: %v", err)
	}
	if _, err := pool.Exec(t.Context(), add, demo.MerchantCode); err != nil {
		t.Fatal(err)
	}
	if err := merchant.ImportMenu(t.Context(), pool, demo.MerchantCode, []byte(shown)); err != nil {
		t.Errorf("a picture of the business: %v", err)
	}
}
