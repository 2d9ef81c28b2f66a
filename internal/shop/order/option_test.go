package order_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/order"
)

// choices returns the ids of a business's choices by name; "?" stands for an id that does not exist.
func (s shop) choices(t *testing.T, code string, names ...string) []int64 {
	t.Helper()
	ids := []int64{}
	for _, name := range names {
		id := int64(999_999)
		if name != "?" {
			id = dbtest.Value[int64](t, s, "SELECT min(id) FROM option_choice WHERE shop_code = $1 AND name = $2", code, name)
		}
		ids = append(ids, id)
	}
	return ids
}

// The statement that makes an order and the menu must agree on each case.
func TestOptionRules(t *testing.T) {
	t.Parallel()
	s := open(t)
	dbtest.Exec(t, s, `UPDATE option_choice SET sold_out = true WHERE name IN ('Almond', 'Halloumi');
		UPDATE option_choice SET sold_out = true, sold_out_until = now() - interval '1 second' WHERE name = 'Skim';
		UPDATE option_choice SET sold_out = true, sold_out_until = now() + interval '1 hour' WHERE name = 'Avocado';
		UPDATE option_choice SET available = false WHERE name = 'Roast tomato';
		UPDATE item SET price_minor = 100 WHERE name = 'Beef Burger and Pickles'; UPDATE item SET price_minor = 0 WHERE name = 'Pot of Tea'`)
	const latte, burger, eggs = "Iced Latte", "Beef Burger and Pickles", "Eggs on Sourdough"
	for _, tt := range []struct {
		name, item string
		chosen     []string // nil for the presets
		note       string
		price      int64  // of one piece
		options    string // as stored in the order
		problem    string
	}{
		{"the presets", latte, nil, "", 650, "Size: Regular, Milk: Full cream", ""},
		{"options in the menu's order", latte, []string{"Without ice", "Oat", "Extra shot", "Large"}, "", 650 + 90 + 80 + 60, "Size: Large, Milk: Oat, Extras: Extra shot, Extras: Without ice", ""},
		{"on sale again", latte, []string{"Regular", "Skim"}, "", 650, "Size: Regular, Milk: Skim", ""},
		{"a note", latte, nil, strings.Repeat("é", 60), 650, "Size: Regular, Milk: Full cream", ""},
		{"a note that is too long", latte, nil, strings.Repeat("é", 61), 0, "", "Iced Latte: its note may have 60 characters"},
		{"a note where none is allowed", "Hot Chocolate", nil, "no foam", 0, "", "Hot Chocolate: its note may have 0 characters"},
		{"no choice where one is required", latte, []string{}, "", 0, "", "Iced Latte: choose 1 of Size"},
		{"two choices where one is required", latte, []string{"Regular", "Large", "Oat"}, "", 0, "", "Iced Latte: choose 1 of Size"},
		{"more choices than allowed", latte, []string{"Regular", "Oat", "Extra shot", "Vanilla syrup", "Without ice"}, "", 0, "", "Iced Latte: choose up to 2 of Extras"},
		{"no preset where one is required", eggs, nil, "", 0, "", "Eggs on Sourdough: choose 1 of Eggs"},
		{"a choice of another item", latte, []string{"Regular", "Oat", "Poached"}, "", 0, "", "Iced Latte: option POACHED is not one of its options"},
		{"a choice of another business", latte, []string{"Regular", "Oat", "moollar Hot"}, "", 0, "", "Iced Latte: option HOT is not one of its options"},
		{"an unknown choice", latte, []string{"Regular", "Oat", "?"}, "", 0, "", "Iced Latte: option 999999 is not one of its options"},
		{"an item without options", "Butter Croissant", []string{"Oat"}, "", 0, "", "Butter Croissant: option OAT is not one of its options"},
		{"no options for an item that has none", "Butter Croissant", []string{}, "", 550, "", ""},
		{"sold out", latte, []string{"Regular", "Almond"}, "", 0, "", "Iced Latte with Almond"},
		{"sold out until later", eggs, []string{"Poached", "Avocado"}, "", 0, "", "Eggs on Sourdough with Avocado"},
		{"off the menu", eggs, []string{"Poached", "Roast tomato"}, "", 0, "", "Eggs on Sourdough with Roast tomato"},
		{"a negative price", burger, []string{"Mushroom instead"}, "", 0, "", "Beef Burger and Pickles: no price is possible with these options"},
		{"a negative difference", burger, []string{"Mushroom instead", "Bacon"}, "", 100 - 200 + 450, "Beef: Mushroom instead, On the side: Bacon", ""},
		{"a free item", "Pot of Tea", nil, "", 0, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line := order.Line{ID: s.item(t, tt.item), Qty: 2, Note: tt.note}
			if tt.chosen != nil {
				line.Options = []int64{}
			}
			problem := tt.problem
			for _, name := range tt.chosen {
				shop, choice := "panezski", name
				if after, ok := strings.CutPrefix(name, "moollar "); ok {
					shop, choice = "moollar", after
				}
				id := s.choices(t, shop, choice)
				line.Options = append(line.Options, id...)
				problem = strings.Replace(problem, "option "+strings.ToUpper(choice), "option "+strconv.FormatInt(id[0], 10), 1)
			}
			menu, err := s.menus.Fresh(t.Context(), "panezski")
			check.Must(t, err)
			made := menu.Make(line)
			if made.Problem != problem || problem == "" && made.PriceMinor != tt.price {
				t.Errorf("the menu shows the price %d with the problem %q", made.PriceMinor, made.Problem)
			}
			req := croissants()
			req.Lines = append(req.Lines, line)
			if tt.item == "Butter Croissant" {
				req.Lines = req.Lines[1:]
			}
			id, _, err := s.Create(t.Context(), req)
			var missing *order.UnavailableError
			if problem != "" {
				if !errors.As(err, &missing) || len(missing.Problems) != 1 || missing.Problems[0] != problem {
					t.Fatalf("refused with %v, want %q", err, problem)
				}
				return
			}
			check.Must(t, err)
			lines, err := db.New(s).OrderLineList(t.Context(), id, "panezski")
			check.Must(t, err)
			got := lines[len(lines)-1]
			if got.PriceMinor != tt.price || spelled(got.Options) != tt.options || got.Note != tt.note {
				t.Errorf("the line costs %d with %q and the note %q", got.PriceMinor, spelled(got.Options), got.Note)
			}
		})
	}
}

func TestOrdersWithOptions(t *testing.T) {
	t.Parallel()
	s := open(t)
	latte := s.item(t, "Iced Latte")
	line := func(qty int, note string, names ...string) order.Line {
		return order.Line{ID: latte, Qty: qty, Options: s.choices(t, "panezski", names...), Note: note}
	}
	create := func(lines ...order.Line) (string, error) {
		id, _, err := s.Create(t.Context(), order.Request{Shop: "panezski", Table: "4", Lines: lines})
		return id, err
	}
	t.Run("two of one item with different options are two lines", func(t *testing.T) {
		id, err := create(line(1, "", "Regular", "Oat"), line(2, "", "Large", "Oat"), order.Line{ID: latte, Qty: 1}, line(1, "hot", "Large", "Oat"))
		check.Must(t, err)
		row, err := db.New(s).TransactionGet(t.Context(), id, "panezski")
		if err != nil || row.Transaction.AmountMinor != 730+2*820+650+820 {
			t.Errorf("the order costs %d, %v", row.Transaction.AmountMinor, err)
		}
	})
	for name, lines := range map[string][]order.Line{
		"the same line twice":                {line(1, "", "Regular", "Oat"), line(2, "", "Oat", "Regular")},
		"one choice twice":                   {line(1, "", "Regular", "Oat", "Oat")},
		"10,000 choices":                     {{ID: latte, Qty: 1, Options: slices.Repeat([]int64{1}, 10_000)}},
		"100 choices too many":               {{ID: latte, Qty: 1, Options: numbers(200)}},
		"a choice below 1":                   {{ID: latte, Qty: 1, Options: []int64{-1}}},
		"a note longer than any item allows": {line(1, strings.Repeat("x", 141), "Regular", "Oat")},
		"a card number in the note":          {line(1, "4111 1111 1111 1111", "Regular", "Oat")},
	} {
		_, err := create(lines...)
		check.Equal(t, fault.CodeOf(err), fault.Invalid, "fault.CodeOf, %s: %v", name, err)
	}
	t.Run("an order of free items alone is refused", func(t *testing.T) {
		dbtest.PublishMenu(t, s, "UPDATE item SET price_minor = 0 WHERE name = 'Pot of Tea'")
		if _, err := create(order.Line{Name: "Pot of Tea", Qty: 3}); !errors.Is(err, order.ErrFree) {
			t.Error(err)
		}
	})
	t.Run("options cannot raise an order above the largest amount", func(t *testing.T) {
		dbtest.PublishMenu(t, s, "UPDATE option_choice SET price_minor = 99999999 WHERE name = 'Vanilla syrup'")
		_, err := create(line(1, "", "Regular", "Oat", "Vanilla syrup"))
		check.Equal(t, fault.CodeOf(err), fault.Conflict, "one piece: %v", err)
		dbtest.PublishMenu(t, s, "UPDATE option_choice SET price_minor = 99990000 WHERE name = 'Vanilla syrup'")
		_, err = create(line(99, "", "Regular", "Oat", "Vanilla syrup"))
		check.Equal(t, fault.CodeOf(err), fault.Invalid, "99 pieces: %v", err)
	})
	t.Run("a key includes the options", func(t *testing.T) {
		with := func(lines ...order.Line) error {
			_, _, err := s.Create(t.Context(), order.Request{Shop: "panezski", Table: "4", Key: "one", Lines: lines})
			return err
		}
		check.Must(t, with(line(1, "", "Regular", "Oat")))
		check.NoError(t, with(line(1, "", "Regular", "Oat")), "the same order again")
		for _, other := range []order.Line{line(1, "", "Large", "Oat"), line(1, "hot", "Regular", "Oat"), {ID: latte, Qty: 1}} {
			check.ErrorIs(t, with(other), order.ErrKeyUsed, "%+v under the same key", other)
		}
	})
	check.Equal(t, s.count(t, "transaction"), 2, "transactions")
}

func spelled(options []db.LineOption) string {
	var all []string
	for _, o := range options {
		all = append(all, o.Group+": "+o.Name)
	}
	return strings.Join(all, ", ")
}

func numbers(n int64) (all []int64) {
	for i := range n {
		all = append(all, i+1)
	}
	return all
}
