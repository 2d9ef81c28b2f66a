package menustore_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/account"
	"forecourt/internal/dbtest"
	"forecourt/internal/demo"
	"forecourt/internal/menu"
	"forecourt/internal/menu/menustore"
	"forecourt/internal/order"
	"forecourt/internal/shop"
	"forecourt/internal/shop/shopstore"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// studio returns a studio with its database and an owner of the demo businesses.
func studio(t *testing.T) (*menustore.Studio, *pgxpool.Pool, shop.Person) {
	t.Helper()
	pool := dbtest.Pool(t)
	a, err := db.New(pool).AccountByEmail(t.Context(), demo.Email)
	if err != nil {
		t.Fatal(err)
	}
	return menustore.New(pool, shopstore.New(pool, nil, account.Verification{})), pool, shop.Person{ID: a.ID, Email: demo.Email}
}

func open(t *testing.T, s *menustore.Studio) menustore.State {
	t.Helper()
	state, err := s.Open(t.Context(), demo.Client)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// first returns the first item of a menu as its editor sees it.
func first(m menu.Menu) menu.Entry {
	return menu.Entry{Item: m.Categories[0].Items[0], Category: m.Categories[0].ID}
}

// shown returns an item as guests see it; ok is false if it is hidden from them.
func shown(t *testing.T, pool *pgxpool.Pool, id int64) (name string, price int64, soldOut, ok bool) {
	t.Helper()
	m, err := order.NewMenus(pool).Fresh(t.Context(), demo.Client)
	if err != nil {
		t.Fatal(err)
	}
	item := m.Item(id)
	if item == nil || !item.Available {
		return "", 0, false, false
	}
	return item.Name, item.PriceMinor, item.SoldOut, true
}

func TestGuestsSeeADraftOnceItIsPublished(t *testing.T) {
	t.Parallel()
	s, pool, by := studio(t)
	state := open(t, s)
	was := first(state.Draft)
	if _, err := pool.Exec(t.Context(), "UPDATE item SET sold_out = true WHERE id = $1", was.ID); err != nil {
		t.Fatal(err)
	}
	mine := was
	mine.Name, mine.Price = "Croissant", 0
	out, err := s.SaveItem(t.Context(), by, demo.Client, was, mine, false)
	if err != nil || out.Refused() {
		t.Fatalf("%+v, %v", out, err)
	}
	added, err := s.SaveItem(t.Context(), by, demo.Client, menu.Entry{}, menu.Entry{
		Item: menu.Item{Name: was.Name, Price: 600, Loc: was.Loc, Available: true}, Category: was.Category,
	}, false)
	if err != nil || added.Refused() {
		t.Fatalf("%+v, %v", added, err)
	}
	if name, _, _, _ := shown(t, pool, was.ID); name != was.Name {
		t.Errorf("guests see the unpublished name %q", name)
	}
	state = open(t, s)
	if got := menustore.Summary(menu.Compare(&state.Published, &state.Draft, "AUD")); got != "Croissant: name, price; "+was.Name+" added" {
		t.Errorf("unpublished changes: %s", got)
	}
	if err := s.Publish(t.Context(), by, demo.Client, state.Revision-1); !errors.Is(err, menustore.ErrChanged) {
		t.Errorf("an outdated revision was published: %v", err)
	}
	if err := s.Publish(t.Context(), by, demo.Client, state.Revision); err != nil {
		t.Fatal(err)
	}
	name, price, soldOut, _ := shown(t, pool, was.ID)
	if name != "Croissant" || price != 0 || !soldOut {
		t.Errorf("guests see %q at %d, sold out: %t", name, price, soldOut)
	}
	state = open(t, s)
	if changes := menu.Compare(&state.Published, &state.Draft, "AUD"); len(changes) > 0 {
		t.Errorf("unpublished changes are left: %v", changes)
	}
	id := state.Draft.Categories[0].Items[len(state.Draft.Categories[0].Items)-1].ID
	if name, _, _, ok := shown(t, pool, id); !ok || name != was.Name {
		t.Errorf("the new item is %q", name)
	}

	// Restoring the previous version hides the new item but keeps its row, and an item that is sold out stays sold out.
	versions, err := s.Versions(t.Context(), demo.Client)
	if err != nil || len(versions) != 2 || versions[0].No != 2 || versions[1].No != 1 || versions[0].By != by.Email {
		t.Fatalf("%+v, %v", versions, err)
	}
	if err := s.Restore(t.Context(), by, demo.Client, 1, state.Revision-1); !errors.Is(err, menustore.ErrChanged) {
		t.Errorf("a draft that nobody looked at was replaced: %v", err)
	}
	if err := s.Restore(t.Context(), by, demo.Client, 3, state.Revision); !errors.Is(err, menustore.ErrMissing) {
		t.Errorf("a version that does not exist was brought back: %v", err)
	}
	if err := s.Restore(t.Context(), by, demo.Client, 1, state.Revision); err != nil {
		t.Fatal(err)
	}
	if name, _, _, _ := shown(t, pool, was.ID); name != "Croissant" {
		t.Errorf("guests see %q before anybody published", name)
	}
	state = open(t, s)
	if err := s.Publish(t.Context(), by, demo.Client, state.Revision); err != nil {
		t.Fatal(err)
	}
	if name, price, soldOut, _ := shown(t, pool, was.ID); name != was.Name || price != was.Price || !soldOut {
		t.Errorf("the restored item is %q at %d, sold out: %t", name, price, soldOut)
	}
	if _, _, _, ok := shown(t, pool, id); ok {
		t.Error("an item that the restored version lacks is still shown")
	}
	var rows int
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM item WHERE id = $1", id).Scan(&rows); err != nil || rows != 1 {
		t.Errorf("the hidden item has %d rows, %v", rows, err)
	}
	if state = open(t, s); len(menu.Compare(&state.Published, &state.Draft, "AUD")) > 0 {
		t.Error("the draft differs from the restored version")
	}
}

func TestItemsCanSwapNames(t *testing.T) {
	t.Parallel()
	s, pool, by := studio(t)
	state := open(t, s)
	items := state.Draft.Categories[0].Items
	a, b := items[0], items[1]
	items[0].Name, items[1].Name = b.Name, a.Name
	if faults, err := s.Take(t.Context(), by, demo.Client, state.Draft, 0); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	if err := s.Publish(t.Context(), by, demo.Client, 1); err != nil {
		t.Fatal(err)
	}
	if name, _, _, _ := shown(t, pool, a.ID); name != b.Name {
		t.Errorf("%d is %q", a.ID, name)
	}
	if name, _, _, _ := shown(t, pool, b.ID); name != a.Name {
		t.Errorf("%d is %q", b.ID, name)
	}
}

func TestConcurrentEdits(t *testing.T) {
	t.Parallel()
	s, _, by := studio(t)
	state := open(t, s)
	was := first(state.Draft)
	other := menu.Entry{Item: state.Draft.Categories[1].Items[0], Category: state.Draft.Categories[1].ID}
	save := func(was, mine menu.Entry) menustore.Outcome[menu.Entry] {
		t.Helper()
		out, err := s.SaveItem(t.Context(), by, demo.Client, was, mine, false)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	theirs, elsewhere, different, mine := was, other, was, was
	theirs.Price, elsewhere.Price, different.Description, mine.Price = 700, 800, "Warm", 900
	save(was, theirs)
	if out := save(other, elsewhere); out.Refused() {
		t.Errorf("another item: %+v", out)
	}
	if out := save(was, different); out.Refused() || out.Kept.Price != 700 || out.Kept.Description != "Warm" {
		t.Errorf("another field: %+v", out)
	}
	out := save(was, mine)
	if len(out.Both) != 1 || out.Both[0] != "priceMinor" || out.Theirs.Price != 700 || out.Kept.Price != 900 || out.Kept.Description != "Warm" {
		t.Errorf("the same field: %+v", out)
	}
	if again := save(out.Theirs, out.Kept); again.Refused() {
		t.Errorf("saving again after seeing the conflict: %+v", again)
	}
	state = open(t, s)
	if now := first(state.Draft); now.Price != 900 || now.Description != "Warm" {
		t.Errorf("the draft holds %+v", now)
	}
	if kept, err := s.RemoveItem(t.Context(), by, demo.Client, was); err != nil || kept == nil || kept.Price != 900 {
		t.Errorf("an item changed by somebody else was removed: %+v, %v", kept, err)
	}
	if kept, err := s.RemoveItem(t.Context(), by, demo.Client, first(state.Draft)); err != nil || kept != nil {
		t.Errorf("not removed: %+v, %v", kept, err)
	}
	if out := save(first(state.Draft), mine); !out.Gone {
		t.Errorf("saving a removed item: %+v", out)
	}
	if out, err := s.SaveItem(t.Context(), by, demo.Client, was, mine, true); err != nil || out.Refused() {
		t.Errorf("putting the item back: %+v, %v", out, err)
	}
	if state = open(t, s); state.Draft.Count() == 0 || state.Draft.Categories[0].Items[len(state.Draft.Categories[0].Items)-1].ID != was.ID {
		t.Error("the restored item has another id")
	}
}

func TestIdsOfAnotherShopAreRefused(t *testing.T) {
	t.Parallel()
	s, pool, _ := studio(t)
	var foreign int64
	if err := pool.QueryRow(t.Context(), "SELECT min(id) FROM item WHERE client_code = 'moollar'").Scan(&foreign); err != nil {
		t.Fatal(err)
	}
	m := open(t, s).Draft
	m.Categories[0].Items[0].ID = foreign
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return menustore.Put(t.Context(), tx, demo.Client, m, "x", "") })
	if !errors.Is(err, menustore.ErrForeign) {
		t.Errorf("%v, want ErrForeign", err)
	}
	var client string
	if err := pool.QueryRow(t.Context(), "SELECT client_code FROM item WHERE id = $1", foreign).Scan(&client); err != nil || client != "moollar" {
		t.Errorf("the item now belongs to %s, %v", client, err)
	}
}

func TestAPreviewStoresNothing(t *testing.T) {
	t.Parallel()
	s, pool, by := studio(t)
	was := first(open(t, s).Draft)
	mine := was
	mine.Name = "Preview only"
	if _, err := s.SaveItem(t.Context(), by, demo.Client, was, mine, false); err != nil {
		t.Fatal(err)
	}
	err := s.Preview(t.Context(), demo.Client, func(conn db.DBTX) error {
		m, err := order.NewMenus(conn).Fresh(t.Context(), demo.Client)
		if err == nil && m.Item(was.ID).Name != "Preview only" {
			t.Errorf("the preview shows %q", m.Item(was.ID).Name)
		}
		return err
	})
	if name, _, _, _ := shown(t, pool, was.ID); err != nil || name != was.Name {
		t.Errorf("guests see %q, %v", name, err)
	}
}
