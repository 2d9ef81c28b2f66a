package order_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/order"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// shop takes orders in its own database.
type shop struct {
	*order.Orders
	*pgxpool.Pool
	menus *order.Menus
}

func open(t *testing.T) shop {
	t.Helper()
	pool := dbtest.Pool(t)
	menus := order.NewMenus(pool)
	return shop{order.NewOrders(pool, menus), pool, menus}
}

func (s shop) item(t *testing.T, name string) int64 {
	t.Helper()
	return dbtest.Value[int64](t, s, "SELECT id FROM item WHERE name = $1", name)
}

func (s shop) count(t *testing.T, table string) int {
	t.Helper()
	return dbtest.Value[int](t, s, "SELECT count(*) FROM "+table)
}

// croissants returns an order of two croissants for $11.00.
func croissants(change ...func(*order.Request)) order.Request {
	req := order.Request{
		Shop: "panezski", Lines: []order.Line{{Name: "Butter Croissant", Qty: 2}}, Table: "4",
		Description: "Food Order", Source: "diy-pos",
	}
	for _, f := range change {
		f(&req)
	}
	return req
}

func TestAnOrderIsStoredAtTheMenusPrices(t *testing.T) {
	t.Parallel()
	s := open(t)
	pie := s.item(t, "Cherry Pie")
	req := croissants(func(r *order.Request) {
		r.Lines = append(r.Lines, order.Line{ID: pie, Name: "called something else", Qty: 1})
		r.TrxRef, r.PushToken = "", "push-token"
	})
	id, again, err := s.Create(t.Context(), req)
	if err != nil || again {
		t.Fatal(again, err)
	}
	row, err := db.New(s).TransactionGet(t.Context(), id, "panezski")
	check.Must(t, err)
	trx := row.Transaction
	t.Run("the order has its fields (POS-28 PAY-48)", func(t *testing.T) {
		if trx.AmountMinor != 2*550+900 || trx.Currency != "AUD" || trx.CountryCode != "AU" || trx.Status != "new" || !trx.TestMode ||
			trx.TableName != "4" || trx.PushToken != "push-token" || trx.Description != "Food Order" || trx.Source != "diy-pos" {
			t.Errorf("stored %+v", trx)
		}
	})
	if len(id) < 22 || len(id) > 36 {
		t.Errorf("the id %q does not have 22 to 36 characters", id)
	}
	check.Equal(t, trx.ExpiresAt.Sub(trx.CreatedAt).Hours(), 2, "the order expires after … hours")
	dbtest.Exec(t, s, "UPDATE item SET price_minor = 9999, name = 'Renamed' WHERE id = $1", pie)
	lines, err := db.New(s).OrderLineList(t.Context(), id, "panezski")
	check.Must(t, err)
	t.Run("the lines keep the name and price at which they were bought (POS-31)", func(t *testing.T) {
		if len(lines) != 2 || lines[0].Name != "Butter Croissant" || lines[0].Qty != 2 || lines[0].Loc != "Kitchen" ||
			lines[0].Status != "open" || lines[1].Name != "Cherry Pie" || lines[1].PriceMinor != 900 {
			t.Errorf("the lines do not keep the name and price at which they were bought: %+v", lines)
		}
	})
}

// More refusals are in TestEveryRefusalNamesFieldAndRule of package handlers.
func TestRefusedOrdersStoreNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	dbtest.Exec(t, s, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
	many := make([]order.Line, 201)
	for i := range many {
		many[i] = order.Line{ID: int64(i + 1), Qty: 1}
	}
	line := func(l order.Line) func(*order.Request) { return func(r *order.Request) { r.Lines = []order.Line{l} } }
	for _, tt := range []struct {
		name   string
		change func(*order.Request)
		want   fault.Code
	}{
		{"a merchant whose code is not text", func(r *order.Request) { r.Shop = "a\x00" }, fault.NotFound},
		{"too many lines", func(r *order.Request) { r.Lines = many }, fault.Invalid},
		{"a negative quantity (POS-14)", line(order.Line{Name: "Butter Croissant", Qty: -1}), fault.Invalid},
		{"a negative id", line(order.Line{ID: -1, Qty: 1}), fault.Invalid},
		{"the same item by name and by id", func(r *order.Request) {
			r.Lines = append(r.Lines, order.Line{ID: s.item(t, "Butter Croissant"), Qty: 1})
		}, fault.Invalid},
		{"the same item by id under different names", func(r *order.Request) {
			r.Lines = []order.Line{{ID: s.item(t, "Butter Croissant"), Name: "a", Qty: 1}, {ID: s.item(t, "Butter Croissant"), Name: "b", Qty: 1}}
		}, fault.Invalid},
		{"the same item with its presets and without options, which are the same", func(r *order.Request) {
			r.Lines = append(r.Lines, order.Line{Name: "Butter Croissant", Qty: 1, Options: []int64{}})
		}, fault.Invalid},
		{"an unknown item", line(order.Line{ID: 1 << 62, Qty: 1}), fault.Conflict},
		{"a name with NUL", line(order.Line{Name: "a\x00b", Qty: 1}), fault.Invalid},
		{"another merchant's item", func(r *order.Request) { r.Shop = "moollar" }, fault.Conflict},
		{"a sold-out item", line(order.Line{Name: "Cherry Pie", Qty: 1}), fault.Conflict},
		{"an item off the menu (POS-06)", line(order.Line{Name: "Roast Lamb Shank", Qty: 1}), fault.Conflict},
		{"a table with a card number", func(r *order.Request) { r.Table = "45391488/03436467" }, fault.Invalid},
		{"a broken description", func(r *order.Request) { r.Description = "\xff" }, fault.Invalid},
		{"a very long push token", func(r *order.Request) { r.PushToken = strings.Repeat("p", 1025) }, fault.Invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// Try one after the other: in the end nothing may be stored.
			_, _, err := s.Create(t.Context(), croissants(tt.change))
			check.Equal(t, fault.CodeOf(err), tt.want, "fault.CodeOf, %v", err)
		})
	}
	check.Equal(t, s.count(t, "transaction")+s.count(t, "order_line")+s.count(t, "order_key"), 0, "rows were stored")
}

func TestARefusalNamesWhatIsMissingOrDiffers(t *testing.T) {
	t.Parallel()
	s := open(t)
	dbtest.Exec(t, s, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'")
	pie := s.item(t, "Cherry Pie")
	_, _, err := s.Create(t.Context(), croissants(func(r *order.Request) {
		r.Lines = append(r.Lines, order.Line{ID: pie, Qty: 1}, order.Line{ID: 1 << 40, Qty: 1}, order.Line{Name: "Lobster", Qty: 1})
	}))
	var missing *order.UnavailableError
	if !errors.As(err, &missing) {
		t.Fatal(err)
	}
	check.Equal(t, strings.Join(missing.Names, "|"), "Cherry Pie|item 1099511627776|Lobster", "the missing names")
	if len(missing.IDs) != 2 || missing.IDs[0] != pie {
		t.Errorf("the missing ids are %v", missing.IDs)
	}
	shown := int64(1050)
	_, _, err = s.Create(t.Context(), croissants(func(r *order.Request) { r.Amount = &shown }))
	var differs *order.AmountError
	if !errors.As(err, &differs) || differs.Amount != 1100 {
		t.Errorf("got %v, want the amount 1100", err)
	}
}

// The menu that an order is priced by may be half a second old.
func TestAnOrderKnowsWhatChangedSinceTheMenuWasRead(t *testing.T) {
	t.Parallel()
	s := open(t)
	latte := order.Line{ID: s.item(t, "Iced Latte"), Qty: 1, Options: s.choices(t, "panezski", "Regular", "Oat")}
	publish := func(statement string) { dbtest.PublishMenu(t, s, statement) }
	run := func(statement string) { dbtest.Exec(t, s, statement) }
	for _, tt := range []struct {
		name          string
		change        func(statement string)
		statement     string
		line          order.Line
		want, refused string
	}{
		{"a price", publish, "UPDATE item SET price_minor = 600 WHERE name = 'Butter Croissant'", order.Line{Name: "Butter Croissant", Qty: 2},
			"1200", ""},
		{"an option's price", publish, "UPDATE option_choice SET price_minor = 100 WHERE name = 'Oat'", latte, "750", ""},
		{"a rule of options", publish, "UPDATE option_group SET min_choices = 2, max_choices = 3 WHERE name = 'Milk'", latte, "",
			"not available: Iced Latte: choose 2 to 3 of Milk"},
		{"a name", publish, "UPDATE item SET name = 'Croissant' WHERE name = 'Butter Croissant'", order.Line{Name: "Butter Croissant", Qty: 2},
			"",
			"not available: Butter Croissant"},
		{"an item that sold out", run, "UPDATE item SET sold_out = true WHERE name = 'Cherry Pie'", order.Line{Name: "Cherry Pie", Qty: 1}, "",
			"not available: Cherry Pie"},
		{"an item that is back", run, "UPDATE item SET sold_out = false WHERE name = 'Cherry Pie'", order.Line{Name: "Cherry Pie", Qty: 1}, "900",
			""},
		{"an option that sold out", run, "UPDATE option_choice SET sold_out = true WHERE name = 'Oat'; UPDATE option_group SET min_choices = 1",
			latte, "",
			"not available: Iced Latte with Oat"},
		{"the currency", run, "UPDATE shop SET currency = 'GBP'", order.Line{Name: "Pot of Tea", Qty: 1}, "550", ""},
		{"a kitchen without a screen", run, "UPDATE shop SET live = true, needs_kitchen = true", order.Line{Name: "Pot of Tea", Qty: 1}, "",
			order.ErrPaused.Error()},
	} {
		_, err := s.menus.Menu(t.Context(), "panezski")
		check.Must(t, err)
		tt.change(tt.statement)
		id, _, err := s.Create(t.Context(), order.Request{Shop: "panezski", Table: "4", Lines: []order.Line{tt.line}})
		if tt.refused != "" {
			if err == nil || err.Error() != tt.refused {
				t.Errorf("%s: %q, want %q", tt.name, err, tt.refused)
			}
			continue
		}
		check.Must(t, err)
		amount := dbtest.Value[string](t, s, `SELECT amount_minor::text FROM transaction t JOIN shop c ON c.code = t.shop_code
			WHERE t.id = $1 AND t.currency = c.currency AND t.amount_minor = (SELECT sum(l.qty * l.price_minor) FROM order_line l WHERE l.transaction_id = t.id)`, id)
		check.Equal(t, amount, tt.want, "%s: the amount", tt.name)
	}
}

func TestOrdersWhileAMenuIsPublished(t *testing.T) {
	t.Parallel()
	s := open(t)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 8 {
				_, _, err := s.Create(context.WithoutCancel(t.Context()), croissants())
				check.NoError(t, err)
			}
		})
	}
	for price := range 8 {
		dbtest.PublishMenu(t, s, "UPDATE item SET price_minor = $1 WHERE name = 'Butter Croissant'", 600+100*price)
		id, _, err := s.Create(t.Context(), croissants())
		check.Must(t, err)
		check.Equal(t, dbtest.Value[int64](t, s, "SELECT amount_minor FROM transaction WHERE id = $1", id), int64(1200+200*price), "after publishing, the amount")
	}
	wait.Wait()
	wrong := s.count(t, `transaction t WHERE t.amount_minor <> (SELECT sum(l.qty * l.price_minor) FROM order_line l WHERE l.transaction_id = t.id)
		OR t.amount_minor <> 1100 AND t.amount_minor % 200 <> 0`)
	check.Equal(t, wrong, 0, "orders at a price that the menu never had")
}

func TestRepeatingAKeyReturnsTheFirstOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	keyed := func(change ...func(*order.Request)) order.Request {
		pie := func(r *order.Request) { r.Key, r.Lines = "K", append(r.Lines, order.Line{Name: "Cherry Pie", Qty: 1}) }
		return croissants(append([]func(*order.Request){pie}, change...)...)
	}
	dbtest.Exec(t, s, "UPDATE shop SET live = true WHERE code = 'panezski'")
	first, again, err := s.Create(t.Context(), keyed())
	if err != nil || again {
		t.Fatal(again, err)
	}
	check.Equal(t, dbtest.Value[bool](t, s, "SELECT test_mode FROM transaction WHERE id = $1", first), false,
		"an order of a live business is a test")
	dbtest.Exec(t, s, "UPDATE item SET price_minor = price_minor + 100, sold_out = true WHERE name = 'Butter Croissant'")
	for _, tt := range []struct {
		name   string
		change func(*order.Request)
		want   error
	}{
		{"the same order, though the item now costs more and is sold out", func(*order.Request) {}, nil},
		{"its lines in another order", func(r *order.Request) { slices.Reverse(r.Lines) }, nil},
		{"with a push token added later", func(r *order.Request) { r.PushToken = "token" }, nil},
		{"another quantity", func(r *order.Request) { r.Lines[0].Qty = 3 }, order.ErrKeyUsed},
		{"another table", func(r *order.Request) { r.Table = "5" }, order.ErrKeyUsed},
		{"another amount", func(r *order.Request) { r.Amount = new(int64) }, order.ErrKeyUsed},
	} {
		id, again, err := s.Create(t.Context(), keyed(tt.change))
		if !errors.Is(err, tt.want) || err == nil && (id != first || !again) {
			t.Errorf("%s: %q %v %v", tt.name, id, again, err)
		}
	}
	other, again, err := s.Create(t.Context(), order.Request{
		Shop: "moollar", Lines: []order.Line{{ID: s.first(t, "moollar"), Qty: 1}}, Key: "K",
	})
	if err != nil || again || other == first {
		t.Errorf("another merchant's use of the key: %q %v %v", other, again, err)
	}
}

func (s shop) first(t *testing.T, code string) int64 {
	t.Helper()
	menu, err := s.menus.Menu(t.Context(), code)
	check.Must(t, err)
	return menu.Categories[0].Items[0].ID
}

func TestConcurrentTapsMakeOneOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	var wait sync.WaitGroup
	var mu sync.Mutex
	ids, fresh := map[string]bool{}, 0
	for range 16 {
		wait.Go(func() {
			id, again, err := s.Create(context.WithoutCancel(t.Context()), croissants(func(r *order.Request) { r.Key = "K" }))
			mu.Lock()
			defer mu.Unlock()
			ids[id] = true
			if !again {
				fresh++
			}
			check.NoError(t, err)
		})
	}
	wait.Wait()
	if len(ids) != 1 || fresh != 1 || s.count(t, "transaction") != 1 {
		t.Errorf("%d ids, %d of them new, %d transactions; want 1 of each", len(ids), fresh, s.count(t, "transaction"))
	}
}
