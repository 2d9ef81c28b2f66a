package desk_test

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/books"
	"forecourt/views/desk"
)

func TestADayOfPaymentsSaysWhatItCameToIfThePageHasAllOfIt(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	night := time.Date(2026, 11, 24, 1, 43, 0, 0, time.UTC) // still the day before
	paid := func(daysBefore int, minor int64, state books.PaymentState, currency string) books.Payment {
		return books.Payment{At: noon.AddDate(0, 0, -daysBefore), Amount: minor, State: state, Currency: currency}
	}
	list := []books.Payment{
		paid(0, 1100, books.PaymentPaid, "AUD"), paid(0, 900, books.PaymentDeclined, "AUD"), paid(0, 250, books.PaymentBack, "AUD"),
		{At: night, Amount: 300, State: books.PaymentPaid, Currency: "AUD"}, paid(1, 400, books.PaymentPaid, "AUD"),
		paid(2, 300, books.PaymentPaid, "AUD"), paid(2, 300, books.PaymentPaid, "NZD"),
		paid(3, 400, books.PaymentPaid, "AUD"),
	}
	for name, one := range map[string]struct {
		pages desk.Pages
		want  []string
	}{
		"the only page":    {desk.Pages{}, []string{"2 paid · $13.50", "2 paid · $7.00", "", "1 paid · $4.00"}},
		"the first of two": {desk.Pages{Next: "/next"}, []string{"2 paid · $13.50", "2 paid · $7.00", "", ""}},
		"the last of two":  {desk.Pages{Further: true}, []string{"", "2 paid · $7.00", "", "1 paid · $4.00"}},
	} {
		m := desk.Payments{Page: books.Page{List: list}, Pages: one.pages}
		for i, nth := range []int{0, 3, 5, 7} {
			check.Equal(t, m.Sum(nth), one.want[i], "%s: the sum of day %d", name, i+1)
		}
	}
}
