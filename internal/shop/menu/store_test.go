package menu_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/menu"
	"forecourt/internal/shop/order"
	"forecourt/internal/shop/shop"
	"forecourt/internal/upkeep/demo"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// studio returns a studio with its database and an owner of the demo businesses.
func studio(t *testing.T) (*menu.Studio, *pgxpool.Pool, shop.Person) {
	t.Helper()
	pool := dbtest.Pool(t)
	a, err := db.New(pool).AccountByEmail(t.Context(), demo.Email)
	check.Must(t, err)
	return menu.New(pool, shop.New(shop.Config{Pool: pool})), pool, shop.Person{ID: a.ID, Email: demo.Email}
}

func open(t *testing.T, s *menu.Studio) menu.State {
	t.Helper()
	state, err := s.Open(t.Context(), demo.Shop)
	check.Must(t, err)
	return state
}

// first returns the first item of a menu as its editor sees it.
func first(m menu.Menu) menu.Entry {
	return menu.Entry{Item: m.Categories[0].Items[0], Category: m.Categories[0].ID}
}

// save saves a part of the demo's draft, and returns the clash that refuses it.
func save[T any](t *testing.T, s *menu.Studio, by shop.Person, p menu.Part[T], mine T, revision int64) *menu.Clash {
	t.Helper()
	_, clash, err := menu.Save(t.Context(), s, by, demo.Shop, p, mine, revision)
	check.Must(t, err)
	return clash
}

// shown returns an item as guests see it; ok is false if it is hidden from them.
func shown(t *testing.T, pool *pgxpool.Pool, id int64) (name string, price int64, soldOut, ok bool) {
	t.Helper()
	m, err := order.NewMenus(pool).Fresh(t.Context(), demo.Shop)
	check.Must(t, err)
	item := m.Item(id)
	if item == nil || !item.Available {
		return "", 0, false, false
	}
	return item.Name, item.Price, item.SoldOut, true
}

func TestGuestsSeeADraftOnceItIsPublished(t *testing.T) {
	t.Parallel()
	s, pool, by := studio(t)
	state := open(t, s)
	was := first(state.Draft)
	dbtest.Exec(t, pool, "UPDATE item SET sold_out = true WHERE id = $1", was.ID)
	mine := was
	mine.Name, mine.Price = "Croissant", 0
	check.MustEqual(t, save(t, s, by, menu.Items, mine, 0), nil, "a clash")
	added := menu.Entry{Item: menu.Item{Name: was.Name, Price: 600, Loc: was.Loc, Available: true}, Category: was.Category}
	check.MustEqual(t, save(t, s, by, menu.Items, added, 0), nil, "a clash")
	if name, _, _, _ := shown(t, pool, was.ID); name != was.Name {
		t.Errorf("guests see the unpublished name %q", name)
	}
	state = open(t, s)
	check.Equal(t, menu.Summary(menu.Compare(&state.Published, &state.Draft, "AUD")), "Croissant: name, price; "+was.Name+" added",
		"unpublished changes")
	check.ErrorIs(t, s.Publish(t.Context(), by, demo.Shop, state.Revision-1), menu.ErrChanged, "an outdated revision was published")
	check.Must(t, s.Publish(t.Context(), by, demo.Shop, state.Revision))
	name, price, soldOut, _ := shown(t, pool, was.ID)
	if name != "Croissant" || price != 0 || !soldOut {
		t.Errorf("guests see %q at %d, sold out: %t", name, price, soldOut)
	}
	state = open(t, s)
	check.Empty(t, menu.Compare(&state.Published, &state.Draft, "AUD"), "unpublished changes are left")
	id := state.Draft.Categories[0].Items[len(state.Draft.Categories[0].Items)-1].ID
	if name, _, _, ok := shown(t, pool, id); !ok || name != was.Name {
		t.Errorf("the new item is %q", name)
	}

	// Restoring the previous version drops the new item, which nobody ordered, and an item that is sold out stays sold out.
	versions, err := s.Versions(t.Context(), demo.Shop)
	if err != nil || len(versions) != 2 || versions[0].No != 2 || versions[1].No != 1 || versions[0].MadeBy != by.Email {
		t.Fatalf("%+v, %v", versions, err)
	}
	check.ErrorIs(t, s.Restore(t.Context(), by, demo.Shop, 1, state.Revision-1), menu.ErrChanged,
		"a draft that nobody looked at was replaced")
	check.ErrorIs(t, s.Restore(t.Context(), by, demo.Shop, 3, state.Revision), menu.ErrMissing,
		"a version that does not exist was brought back")
	check.Must(t, s.Restore(t.Context(), by, demo.Shop, 1, state.Revision))
	name, _, _, _ = shown(t, pool, was.ID)
	check.Equal(t, name, "Croissant", "guests see … before anybody published")
	state = open(t, s)
	check.Must(t, s.Publish(t.Context(), by, demo.Shop, state.Revision))
	if name, price, soldOut, _ := shown(t, pool, was.ID); name != was.Name || price != was.Price || !soldOut {
		t.Errorf("the restored item is %q at %d, sold out: %t", name, price, soldOut)
	}
	if _, _, _, ok := shown(t, pool, id); ok {
		t.Error("an item that the restored version lacks is still shown")
	}
	check.Equal(t, dbtest.Value[int](t, pool, "SELECT count(*) FROM item WHERE id = $1", id), 0, "rows of the dropped item")
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
	check.Must(t, s.Take(t.Context(), by, demo.Shop, state.Draft, 0))
	check.Must(t, s.Publish(t.Context(), by, demo.Shop, 1))
	for id, want := range map[int64]string{a.ID: b.Name, b.ID: a.Name} {
		name, _, _, _ := shown(t, pool, id)
		check.Equal(t, name, want, "name, %d", id)
	}
}

func TestWhoSavesSecondSeesTheChange(t *testing.T) {
	t.Parallel()
	s, _, by := studio(t)
	was := first(open(t, s).Draft)
	theirs, mine := was, was
	theirs.Price, mine.Price = 700, 900
	save := func(mine menu.Entry, revision int64) *menu.Clash { return save(t, s, by, menu.Items, mine, revision) }
	check.MustEqual(t, save(theirs, 0), nil, "the first to save")
	check.Equal(t, save(theirs, 0), nil, "the same change again")
	for _, revision := range []int64{0, -1} { // -1: a form that names none
		c := save(mine, revision)
		if c == nil || c.By != by.Email || time.Since(c.At) > time.Minute || c.Now.Draft.Entry(was.ID).Price != 700 || c.Now.Revision != 1 {
			t.Fatalf("the second to save: %+v", c)
		}
	}
	check.Equal(t, first(open(t, s).Draft).Price, 700, "the price in the draft")
	if c, err := menu.Remove(t.Context(), s, by, demo.Shop, menu.Items, was.ID, 1); err != nil || c != nil {
		t.Errorf("not removed: %+v, %v", c, err)
	}
	if c := save(mine, 1); c == nil || !c.Gone || c.Now.Revision != 2 {
		t.Errorf("saving a removed item: %+v", c)
	}
	check.Equal(t, save(mine, 2), nil, "putting the item back")
	if state := open(t, s); state.Draft.Entry(was.ID) == nil {
		t.Error("it came back with another id")
	}
}

func TestOnlyTheLatestChangesAreNoted(t *testing.T) {
	t.Parallel()
	s, pool, by := studio(t)
	dbtest.Exec(t, pool, `INSERT INTO menu_edit (shop_code, kind, part, revision, account_id)
		SELECT code, 'item', 1000000 + n, -n, $2 FROM unnest(ARRAY[$1, 'moollar']) code, generate_series(1, 12000) n`, demo.Shop, by.ID)
	mine := first(open(t, s).Draft)
	mine.Price = 700
	save(t, s, by, menu.Items, mine, 0)
	const left = "SELECT count(*) || ' ' || max(revision) FROM menu_edit WHERE shop_code = $1"
	check.Equal(t, dbtest.Value[string](t, pool, left, demo.Shop), "10001 1", "noted")
	check.Equal(t, dbtest.Value[string](t, pool, left, "moollar"), "12000 -1", "of another shop")
	draft := open(t, s).Draft
	other := menu.Entry{Item: draft.Categories[0].Items[1], Category: draft.Categories[0].ID}
	other.Price += 50
	for _, tt := range []struct {
		seen    int64
		refused bool
	}{{-11_000, true}, {0, false}} { // what was noted by the first revision is forgotten
		check.Equal(t, save(t, s, by, menu.Items, other, tt.seen) != nil, tt.refused, "an item is refused whose form is of revision %d", tt.seen)
	}
}

func TestIdsOfAnotherShopAreRefused(t *testing.T) {
	t.Parallel()
	s, pool, by := studio(t)
	foreign := dbtest.Value[int64](t, pool, "SELECT min(id) FROM item WHERE shop_code = 'moollar'")
	id := first(open(t, s).Draft).ID
	check.Must(t, s.Arrange(t.Context(), by, demo.Shop, func(m *menu.Menu) { m.ShiftItem(id, 1) }))
	const forge = `UPDATE menu_draft SET body = replace(body::text, '"id": ' || $1::text || ', "loc"', '"id": ' || $2::text || ', "loc"')::jsonb`
	dbtest.Exec(t, pool, forge, strconv.FormatInt(id, 10), strconv.FormatInt(foreign, 10))
	check.ErrorIs(t, s.Publish(t.Context(), by, demo.Shop, 1), menu.ErrForeign, "s.Publish")
	check.Equal(t, dbtest.Value[string](t, pool, "SELECT shop_code FROM item WHERE id = $1", foreign), "moollar", "the item belongs to")
}
