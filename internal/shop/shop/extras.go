package shop

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// Extras are what a shop adds to orders, as the texts of their form.
type Extras struct {
	State    string    // of Australia, whose public holidays it keeps; "" for none
	Rates    [8]string // surcharges in percent: on Sundays to Saturdays, and on public holidays; "" for none
	Tips     bool      // guests are offered a tip
	Percents [3]string // the tips that they are offered
	Days     []Holiday // the public holidays that the shop keeps besides
}

// Days of a surcharge, in the order of Extras.Rates.
var rateDays = []string{"Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Public holidays"}

const (
	mostRate = 50_00 // hundredths of a percent
	badRate  = "Enter a percentage up to 50, like 10 or 7.5."
	badTip   = "Enter a whole percentage from 1 to 100."
)

var rateForm = regexp.MustCompile(`^(\d{1,2})(?:\.(\d{1,2}))?\s*%?$`)

// TypedExtras reads the form of a shop's surcharges and tips.
func TypedExtras(form url.Values) (e Extras) {
	e.State, e.Tips, e.Days = form.Get("state"), form.Get("tips") == "on", TypedDays(form)
	for i := range e.Rates {
		e.Rates[i] = form.Get("rate." + strconv.Itoa(i))
	}
	for i := range e.Percents {
		e.Percents[i] = form.Get("tip." + strconv.Itoa(i))
	}
	return e
}

// check returns the extras in tidy form, what the shop stores of them, and their problems by the names of the form's fields.
func (e Extras) check(now time.Time) (_ Extras, rates, tips []int32, _ fault.Problems) {
	problems := fault.Problems{}
	if e.State != "" && !HasState(e.State) {
		problems["state"] = "Choose a state."
	}
	rates = make([]int32, len(e.Rates))
	for i, text := range e.Rates {
		text = typed.Plain(text)
		found := rateForm.FindStringSubmatch(text)
		if found != nil {
			rate, _ := strconv.ParseInt(found[1]+(found[2] + "00")[:2], 10, 32) // of four digits
			rates[i] = int32(rate)
		}
		if text != "" && found == nil || rates[i] > mostRate {
			problems["rate."+strconv.Itoa(i)] = badRate
			continue
		}
		e.Rates[i] = percent(rates[i])
	}
	tips = []int32{}
	for i, text := range e.Percents {
		if !e.Tips {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(typed.Plain(text), "%")), 10, 32)
		switch field := "tip." + strconv.Itoa(i); {
		case err != nil || n < 1 || n > 100:
			problems[field] = badTip
		case slices.Contains(tips, int32(n)):
			problems[field] = "Enter each percentage once."
		default:
			tips = append(tips, int32(n))
			e.Percents[i] = strconv.FormatInt(n, 10)
		}
	}
	e.Days = checkDays(e.Days, func(day time.Time) string {
		if day.Before(now.AddDate(0, 0, -2)) {
			return "Enter a day that is still to come."
		}
		return ""
	}, problems)
	return e, rates, tips, problems
}

// percent returns a rate in hundredths of a percent as a form has it; "" for none.
func percent(rate int32) string {
	if rate == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(rate)/100, 'f', -1, 64)
}

// Extras returns what a shop adds to orders. A state and tips are proposed to one that has none.
func (s *Shops) Extras(ctx context.Context, one Shop) (Extras, error) {
	return extrasOf(ctx, s.queries, one)
}

func extrasOf(ctx context.Context, queries *db.Queries, one Shop) (e Extras, err error) {
	if e.State, err = queries.HolidayState(ctx, one.Code); err != nil {
		return e, err
	}
	for i, rate := range one.Surcharges {
		e.Rates[i] = percent(rate)
	}
	e.Tips, e.Percents = len(one.Tips) > 0, [3]string{"5", "10", "15"}
	for i, tip := range one.Tips {
		e.Percents[i] = strconv.Itoa(int(tip))
	}
	e.Days, err = coming(ctx, queries, "", one.Code)
	return e, err
}

// Seen names the extras, for a form that is made from them.
func (e Extras) Seen() string {
	said := url.Values{}
	for _, part := range e.parts() {
		said.Set(part[0], part[1])
	}
	return said.Encode()
}

// parts names each part of the extras and says what it is.
func (e Extras) parts() [][2]string {
	tips := ""
	if e.Tips {
		tips = strings.Join(e.Percents[:], ", ")
	}
	all := [][2]string{{"state", e.State}, {"tips", tips}, {"own holidays", said(e.Days)}}
	for i, rate := range e.Rates {
		all = append(all, [2]string{rateDays[i], rate})
	}
	return all
}

// SetExtras changes what a shop adds to orders. seen is what the form was made from. It returns what there is now if somebody has changed
// it meanwhile. Errors: fault.Problems of the form's fields, ErrMissing, ErrRole.
func (s *Shops) SetExtras(ctx context.Context, by Person, code, seen string, e Extras) (now string, err error) {
	e, rates, tips, problems := e.check(time.Now())
	if len(problems) > 0 {
		return seen, problems
	}
	days, names := columns(e.Days)
	err = s.Change(ctx, by, code, Edit, func(tx pgx.Tx) (Change, error) {
		queries := db.New(tx)
		if _, err := queries.ShopLock(ctx, code); err != nil {
			return Change{}, err
		}
		saved, err := queries.ShopGet(ctx, code)
		if err != nil {
			return Change{}, err
		}
		was, err := extrasOf(ctx, queries, Shop{Shop: saved})
		if err != nil {
			return Change{}, err
		}
		if now = was.Seen(); now != seen {
			return Change{}, fault.Problems{"rate.1": "Somebody has changed this page meanwhile. Save again to put yours in its place."}
		}
		if was.State = saved.State; saved.CountryCode != "AU" {
			e.State = ""
		}
		detail, before := "", was.parts()
		for i, part := range e.parts() {
			if before[i] != part {
				detail += "; " + part[0] + ": " + cmp.Or(before[i][1], "none") + " to " + cmp.Or(part[1], "none")
			}
		}
		if detail == "" {
			return Change{}, nil
		}
		err = queries.ShopExtrasSave(ctx, db.ShopExtrasSaveParams{Code: code, Surcharges: rates, Tips: tips, State: e.State})
		if err == nil {
			err = queries.ShopHolidaySet(ctx, code, days, names)
		}
		return Change{Action: "surcharges and tips changed", Detail: detail[len("; "):]}, err
	})
	return now, err
}
