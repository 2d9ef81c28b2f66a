package order_test

import (
	"regexp"
	"testing"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/order"
)

// Two croissants for $5.50, with GST, and a pie for $9.00, without.
func TestASurchargeAndATipAreLinesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, holiday    string
		surcharge, taxed int64
		word             string
	}{
		{"on a weekday", "", 200, 110, `day surcharge 10%$`},
		{"on a public holiday, whose rate takes the place of the weekday's", "Cup Day", 305, 168, `^Public holiday surcharge 15.25%$`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			dbtest.Exec(t, s, `UPDATE shop SET surcharges = '{1000,1000,1000,1000,1000,1000,1000,1525}', tips = '{5,10,15}', state = 'XX'
				WHERE code = 'panezski'`)
			dbtest.Exec(t, s, "UPDATE item SET gst_free = true WHERE name = 'Cherry Pie'")
			if tt.holiday != "" {
				dbtest.Exec(t, s, `INSERT INTO holiday (country, state, day, name)
					SELECT 'AU', 'XX', (now() AT TIME ZONE time_zone)::date, $1 FROM shop WHERE code = 'panezski'`, tt.holiday)
			}
			req := croissants(func(r *order.Request) {
				r.Lines = append(r.Lines, order.Line{Name: "Cherry Pie", Qty: 1})
				r.Tip = 250
			})
			id, _, err := s.Create(t.Context(), req)
			check.Must(t, err)
			row, err := db.New(s).TransactionGet(t.Context(), id, "panezski")
			check.Must(t, err)
			check.Equal(t, row.Transaction.AmountMinor, 1100+900+tt.surcharge+250, "the order costs")
			check.Equal(t, *row.Transaction.TaxedMinor, 1100+tt.taxed, "of which includes GST")
			lines, err := db.New(s).OrderLineList(t.Context(), id, "panezski")
			check.Must(t, err)
			check.Equal(t, len(lines), 4, "lines")
			if !regexp.MustCompile(tt.word).MatchString(lines[2].Name) {
				t.Errorf("the surcharge is called %q", lines[2].Name)
			}
			for i, want := range []struct {
				kind   state.LineKind
				status state.Line
				minor  int64
			}{{"item", "open", 550}, {"item", "open", 900}, {"surcharge", "extra", tt.surcharge}, {"tip", "extra", 250}} {
				l := lines[i]
				if l.Kind != want.kind || l.Status != want.status || l.PriceMinor != want.minor {
					t.Errorf("line %d is %+v, want %+v", i+1, l, want)
				}
			}
		})
	}
}

func TestATipIsTakenWhereTheBusinessTakesTips(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, _, err := s.Create(t.Context(), croissants(func(r *order.Request) { r.Tip = 100 }))
	check.Equal(t, fault.CodeOf(err), fault.Invalid, "a tip where none are taken")
	dbtest.Exec(t, s, "UPDATE shop SET tips = '{5,10,15}' WHERE code = 'panezski'")
	for _, tip := range []int64{-1, 99_999_999 + 1} {
		_, _, err := s.Create(t.Context(), croissants(func(r *order.Request) { r.Tip = tip }))
		check.Equal(t, fault.CodeOf(err), fault.Invalid, "a tip of %d", tip)
	}
}

func TestOtherPricesCountInTheirHours(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		hours string
		want  int64
	}{{"", 550}, {"Mon-Sun 00:00-24:00", 400}} {
		s := open(t)
		dbtest.Exec(t, s, "UPDATE item SET other_price_minor = 400 WHERE name = 'Butter Croissant'")
		dbtest.Exec(t, s, "UPDATE category SET other_hours = $1 WHERE shop_code = 'panezski'", tt.hours)
		menu, err := order.NewMenus(s).Fresh(t.Context(), "panezski")
		check.Must(t, err)
		check.Equal(t, menu.Price([]order.Line{{Name: "Butter Croissant", Qty: 1}}, 0).Total, tt.want, "the price with other hours %q", tt.hours)
		id, _, err := s.Create(t.Context(), croissants())
		check.Must(t, err)
		row, err := db.New(s).TransactionGet(t.Context(), id, "panezski")
		check.Must(t, err)
		check.Equal(t, row.Transaction.AmountMinor, 2*tt.want, "an order of two with other hours %q", tt.hours)
	}
}
