package shop

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
)

// Holiday is a public holiday: "2026-12-25" and its name.
type Holiday struct{ Day, Name string }

// String names the holiday in logs and forms.
func (h Holiday) String() string { return h.Day + " " + h.Name }

// States lists the states of Australia with their names.
var States = [][2]string{
	{"NSW", "New South Wales"}, {"VIC", "Victoria"}, {"QLD", "Queensland"}, {"SA", "South Australia"}, {"WA", "Western Australia"},
	{"TAS", "Tasmania"}, {"ACT", "Australian Capital Territory"}, {"NT", "Northern Territory"},
}

// HasState reports whether a code is that of a state.
func HasState(code string) bool {
	return slices.ContainsFunc(States, func(s [2]string) bool { return s[0] == code })
}

// MostHolidayForm is how many bytes a form with the most holidays may have, whose names are in it twice and escaped.
const MostHolidayForm = 128 << 10

const mostHolidays = 40 // in a form

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

func columns(all []Holiday) (days, names []string) {
	days, names = []string{}, []string{}
	for _, one := range all {
		days, names = append(days, one.Day), append(names, one.Name)
	}
	return days, names
}

// said lists holidays in a sentence, and for a form that is made from them.
func said(all []Holiday) string {
	texts := make([]string, len(all))
	for i, one := range all {
		texts[i] = one.String()
	}
	return strings.Join(texts, ", ")
}

// ComingHolidays lists the public holidays of a state in the year from yesterday, as the provider keeps them.
func (s *Shops) ComingHolidays(ctx context.Context, state string) ([]Holiday, error) {
	return coming(ctx, s.queries, state, "")
}

func coming(ctx context.Context, queries *db.Queries, state, code string) ([]Holiday, error) {
	now := time.Now()
	return between(ctx, queries, state, code, now.AddDate(0, 0, -1), now.AddDate(1, 0, 1))
}

// Holidays lists the public holidays of a state in a year, as the provider keeps them.
func (s *Shops) Holidays(ctx context.Context, state string, year int) ([]Holiday, error) {
	return holidaysIn(ctx, s.queries, state, year)
}

func holidaysIn(ctx context.Context, queries *db.Queries, state string, year int) ([]Holiday, error) {
	first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	return between(ctx, queries, state, "", first, first.AddDate(1, 0, -1))
}

func between(ctx context.Context, queries *db.Queries, state, code string, first, last time.Time) (all []Holiday, err error) {
	rows, err := queries.HolidayList(ctx, db.HolidayListParams{
		State: state, Code: code, First: first.Format(time.DateOnly), Last: last.Format(time.DateOnly),
	})
	for _, row := range rows {
		all = append(all, Holiday(row))
	}
	return all, err
}

// SeenHolidays names public holidays, for a form that is made from them.
func SeenHolidays(all []Holiday) string { return said(all) }

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
			said += "; without " + one.String()
		}
	}
	for _, one := range now {
		if !slices.Contains(was, one) {
			said += "; with " + one.String()
		}
	}
	return strings.TrimPrefix(said, "; ")
}
