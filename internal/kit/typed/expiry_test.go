package typed_test

import (
	"errors"
	"testing"
	"time"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/typed"
)

func TestParseExpiry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, want string
		err      error
	}{
		{"12/30", "12/30", nil},
		{"1230", "12/30", nil},
		{"12/2030", "12/30", nil},
		{"10/2030", "10/30", nil},
		{"122030", "12/30", nil},
		{" 12 / 30 ", "12/30", nil},
		{"1/30", "01/30", nil},
		{"12-30", "12/30", nil},
		{"12 30", "12/30", nil},
		{"2030-12", "12/30", nil},
		{"2030-1", "01/30", nil},
		{"2030/12", "12/30", nil},
		{"", "", card.Missing},
		{"  ", "", card.Missing},
		{"13/30", "", card.BadText},
		{"00/30", "", card.BadText},
		{"2030-13", "", card.BadText},
		{"12", "", card.BadText},
		{"130", "", card.BadText},
		{"12/3", "", card.BadText},
		{"12/1930", "", card.BadText},
		{"12/30/01", "", card.BadText},
		{"-1/30", "", card.BadText},
		{"１２/３０", "12/30", nil}, {"١٢/٣١", "12/31", nil}, {"exp 12/2031", "12/31", nil}, {"Exp.: 12/31", "12/31", nil},
		{"12–2031", "12/31", nil}, {"\u202d12/2031\u202c", "12/31", nil}, {"12\u202f31", "12/31", nil}, {"4/2031", "04/31", nil},
		{"\u200b122031", "12/31", nil}, {"12.31", "12/31", nil}, {"12/2020", "12/20", nil}, {"1220", "12/20", nil},
		{"exp", "", card.BadText}, {"31/12/2031", "", card.BadText}, {"2012", "", card.BadText},
		{"12/30\n12/31", "", card.BadText},
		{"Dec 2030", "", card.BadText},
	} {
		e, err := typed.ParseExpiry(tt.in)
		if e.String() != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("ParseExpiry(%q) = %q, %v, want %q, %v", tt.in, e, err, tt.want, tt.err)
		}
	}
}

func TestExpiryPast(t *testing.T) {
	t.Parallel()
	baker := time.FixedZone("UTC-12", -12*3600)
	for _, tt := range []struct {
		name string
		exp  string
		now  time.Time
		want bool
	}{
		{"a year ahead", "12/30", time.Date(2029, 12, 31, 0, 0, 0, 0, time.UTC), false},
		{"in its month", "02/30", time.Date(2030, 2, 15, 0, 0, 0, 0, time.UTC), false},
		{"the last moment in the last time zone", "12/30", time.Date(2030, 12, 31, 23, 59, 59, 0, baker), false},
		{"within the day of grace", "12/30", time.Date(2031, 1, 1, 23, 59, 59, 0, time.UTC), false},
		{"after the day of grace", "12/30", time.Date(2031, 1, 2, 0, 0, 0, 0, time.UTC), true},
		{"months ago", "01/30", time.Date(2030, 6, 1, 0, 0, 0, 0, time.UTC), true},
	} {
		e, err := typed.ParseExpiry(tt.exp)
		if err != nil || e.Past(tt.now) != tt.want {
			t.Errorf("%s: %s past at %s = %t, %v, want %t", tt.name, tt.exp, tt.now, e.Past(tt.now), err, tt.want)
		}
	}
	if !(typed.Expiry{}).Past(time.Time{}) {
		t.Error("the zero Expiry is not past")
	}
}

func FuzzParseExpiry(f *testing.F) {
	for _, seed := range []string{"12/30", "1230", "2030-12", "1 / 2030", "", "99/99"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := typed.ParseExpiry(s)
		if err != nil {
			return
		}
		if len(e.String()) != 5 {
			t.Fatalf("%q became %s", s, e)
		}
		if again, err := typed.ParseExpiry(e.String()); err != nil || again != e {
			t.Fatalf("%q became %s, which became %s, %v", s, e, again, err)
		}
	})
}
