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

// Holiday is a public holiday: "2026-12-25" and its name.
type Holiday struct{ Day, Name string }

// States lists the states of Australia with their names.
var States = [][2]string{
	{"NSW", "New South Wales"}, {"VIC", "Victoria"}, {"QLD", "Queensland"}, {"SA", "South Australia"}, {"WA", "Western Australia"},
	{"TAS", "Tasmania"}, {"ACT", "Australian Capital Territory"}, {"NT", "Northern Territory"},
}

// HasState reports whether a code is that of a state.
func HasState(code string) bool {
	return slices.ContainsFunc(States, func(s [2]string) bool { return s[0] == code })
}

// Days of a surcharge, in the order of Extras.Rates.
var rateDays = []string{"Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Public holidays"}

// MostHolidayForm is how many bytes a form with the most holidays may have, whose names are in it twice and escaped.
const MostHolidayForm = 128 << 10

const (
	mostRate     = 50_00 // hundredths of a percent
	mostHolidays = 40    // in a form
	badRate      = "Enter a percentage up to 50, like 10 or 7.5."
	badTip       = "Enter a whole percentage from 1 to 100."
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

// TypedDays reads the rows of a form with public holidays.
func TypedDays(form url.Values) (days []Holiday) {
	for n := "0"; form.Has("day."+n) && len(days) <= mostHolidays; n = strconv.Itoa(len(days)) {
		days = append(days, Holiday{form.Get("day." + n), form.Get("name." + n)})
	}
	return days
}

// checkDays returns the days that are filled in, and the problems of the rows. fits says what is wrong with a day, if anything.
func checkDays(days []Holiday, fits func(time.Time) string, problems fault.Problems) (kept []Holiday) {
	for n, one := range days {
		no := strconv.Itoa(n)
		one.Day = strings.TrimSpace(one.Day)
		if problems.Note("name."+no, typed.Tidy(&one.Name, 60, "name", "")); one.Day == "" && one.Name == "" {
			continue
		}
		one.Day = typed.Date(one.Day)
		day, err := time.Parse(time.DateOnly, one.Day)
		switch {
		case err != nil:
			problems["day."+no] = "Enter the date of this holiday, like 25/12/2026."
		case one.Name == "" && problems["name."+no] == "":
			problems["name."+no] = "Name this holiday, or clear its date."
		case slices.ContainsFunc(kept, func(o Holiday) bool { return o.Day == one.Day }):
			problems["day."+no] = "Enter each date once."
		case len(kept) == mostHolidays:
			problems["day."+no] = "Enter at most 40 holidays."
		default:
			problems.Note("day."+no, fits(day))
		}
		kept = append(kept, one)
	}
	slices.SortFunc(kept, func(a, b Holiday) int { return cmp.Compare(a.Day, b.Day) })
	return kept
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
	rows, err := queries.ShopHolidayList(ctx, one.Code)
	for _, row := range rows {
		e.Days = append(e.Days, Holiday(row))
	}
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
	tips, days := "", []string{}
	if e.Tips {
		tips = strings.Join(e.Percents[:], ", ")
	}
	for _, one := range e.Days {
		days = append(days, one.Day+" "+one.Name)
	}
	all := [][2]string{{"state", e.State}, {"tips", tips}, {"own holidays", strings.Join(days, ", ")}}
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

func columns(all []Holiday) (days, names []string) {
	days, names = []string{}, []string{}
	for _, one := range all {
		days, names = append(days, one.Day), append(names, one.Name)
	}
	return days, names
}

// ComingHolidays lists the public holidays of a state in the year from yesterday, as the provider keeps them.
func (s *Shops) ComingHolidays(ctx context.Context, state string) (all []Holiday, err error) {
	rows, err := s.queries.HolidayComing(ctx, state)
	for _, row := range rows {
		all = append(all, Holiday(row))
	}
	return all, err
}

// Holidays lists the public holidays of a state in a year, as the provider keeps them.
func (s *Shops) Holidays(ctx context.Context, state string, year int) ([]Holiday, error) {
	return holidaysIn(ctx, s.queries, state, year)
}

func holidaysIn(ctx context.Context, queries *db.Queries, state string, year int) (all []Holiday, err error) {
	rows, err := queries.HolidayList(ctx, state, int32(year)) //nolint:gosec // of a calendar
	for _, row := range rows {
		all = append(all, Holiday(row))
	}
	return all, err
}

// SeenHolidays names public holidays, for a form that is made from them.
func SeenHolidays(all []Holiday) string {
	said := ""
	for _, one := range all {
		said += "; " + one.Day + " " + one.Name
	}
	return strings.TrimPrefix(said, "; ")
}

// SetHolidays replaces the public holidays of a state in a year, for one of the provider's staff. seen is what the form was made from. It
// returns what there is now if somebody has changed them meanwhile. Errors: fault.Problems of the rows' fields.
func (s *Shops) SetHolidays(ctx context.Context, by, state string, year int, seen string, days []Holiday) (now string, err error) {
	problems := fault.Problems{}
	days = checkDays(days, func(day time.Time) string {
		if day.Year() != year {
			return "Enter a day in " + strconv.Itoa(year) + "."
		}
		return ""
	}, problems)
	if len(problems) > 0 {
		return seen, problems
	}
	dates, names := columns(days)
	err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		if err := queries.HolidayLock(ctx); err != nil {
			return err
		}
		was, err := holidaysIn(ctx, queries, state, year)
		if now = SeenHolidays(was); err != nil || now == SeenHolidays(days) {
			return err
		}
		if now != seen {
			return fault.Problems{"day.0": "Somebody has changed these meanwhile. Save again to put yours in their place."}
		}
		of := int32(year) //nolint:gosec // of a calendar
		err = queries.HolidaySet(ctx, db.HolidaySetParams{State: state, Year: of, Days: dates, Names: names})
		if err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by, Action: "public holidays changed", Subject: "holidays " + state + " " + strconv.Itoa(year), Reason: changes(was, days),
		})
	})
	return now, err
}

// changes says which days are no longer holidays, and which are new or have another name.
func changes(was, now []Holiday) (said string) {
	for _, one := range was {
		if !slices.Contains(now, one) {
			said += "; without " + one.Day + " " + one.Name
		}
	}
	for _, one := range now {
		if !slices.Contains(was, one) {
			said += "; with " + one.Day + " " + one.Name
		}
	}
	return strings.TrimPrefix(said, "; ")
}
