package settlement_test

import (
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/settlement"
)

func TestFeesAreWordedTheSameEverywhere(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]settlement.Fees{
		"Ask us for our fees": {},
		"1.6% + 10¢ a payment, no monthly fee, GST included":       {Rate: 160, FixedMinor: 10, Currency: "AUD"},
		"1.5% of each payment, $20.00 a month, plus GST":           {Rate: 150, MonthlyMinor: 2000, GstAdded: true, Currency: "AUD"},
		"$1.05 a payment, no monthly fee, GST included":            {FixedMinor: 105, Currency: "AUD"},
		"1.75% + 0.05 NZD a payment, no monthly fee, GST included": {Rate: 175, FixedMinor: 5, Currency: "NZD"},
		"No fee for payments, $5.00 a month, GST included":         {MonthlyMinor: 500, Currency: "AUD"},
	} {
		check.Equal(t, f.String(), want, "%+v", f)
	}
}

func TestFeesOfPayments(t *testing.T) {
	t.Parallel()
	check.Equal(t, settlement.Fees{Rate: 160, FixedMinor: 10}.Of(200_00, 2), 340, "1.6 %% of $200.00 and twice 10¢")
	check.Equal(t, settlement.Fees{Rate: 160, FixedMinor: 10, GstAdded: true}.Of(200_00, 2), 374, "the same with GST added")
	check.Equal(t, settlement.Fees{Rate: 150}.Of(11_00, 1), 17, "16.5 cents")
}

// What a payout deducts is the truth; where it is more than a cent for each payment off the rate, staff look.
func TestAPayoutThatDeductsAnotherFeeThanTheRateIsForStaff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ fees, net, set, want string }{
		{"0.36", "21.64", "160, 0, 0, false", ""},                                          // 35 cents by the rate; each payment is rounded
		{"0.37", "21.63", "160, 0, 0, false", ""},                                          // two payments, two cents
		{"0.38", "21.62", "160, 0, 0, false", "deducted $0.38, agreed fees come to $0.35"}, // three cents
		{"0.10", "21.90", "160, 0, 0, false", "deducted $0.10, agreed fees come to $0.35"}, // too little
		{"3.44", "18.56", "", ""},                                                          // no rate
	} {
		app, gateway := site(t)
		dbtest.Exec(t, app.Pool, "DELETE FROM fee")
		if tt.set != "" {
			dbtest.Exec(t, app.Pool, "INSERT INTO fee (rate, fixed_minor, monthly_minor, gst_added) VALUES ("+tt.set+")")
		}
		dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
		_, first := pay(t, app, approves)
		_, second := pay(t, app, approves)
		gateway.paysAs("p1", "22.00", tt.fees, tt.net, "panezski", first, second)
		gateway.payouts[0] = strings.Replace(gateway.payouts[0], `"testMode":true`, `"testMode":false`, 1)
		read(t, app)
		staff := app.NewPerson(t).SignInStaff(t)
		if tt.want == "" {
			staff.Visit(t, "/staff/payouts").Has("No payout is in doubt")
			continue
		}
		staff.Visit(t, "/staff/payouts").Has(tt.want)
		staff.Visit(t, "/staff/payouts/"+text(t, app, "SELECT number::text FROM payout")).Has(tt.want, "Accept it as it is")
	}
}
