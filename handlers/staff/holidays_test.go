package staff_test

import (
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestStaffKeepThePublicHolidaysOfAState(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	staff := app.NewPerson(t).SignInStaff(t)
	for state, days := range map[string]string{"VIC": "8/3/2027 2/11/2027", "WA": "1/3/2027 7/6/2027"} {
		v := staff.Visit(t, "/staff/holidays?year=2027&state="+state)
		check.Equal(t, v.Value("day.0")+v.Value("name.0"), "2027-01-01New Year’s Day", "the first day of %s", state)
		check.Equal(t, dbtest.Value[string](t, app.Pool, `SELECT string_agg(to_char(day, 'FMDD/FMMM/YYYY'), ' ' ORDER BY day) FROM holiday
			WHERE state = $1 AND name IN ('Labour Day', 'Melbourne Cup Day', 'Western Australia Day')`, state), days, "days of %s", state)
	}
	v := staff.Visit(t, "/staff/holidays?year=2028&state=VIC").Type("day.0", "3/1/2028").Type("name.0", "New Year’s Day holiday").
		Type("day.1", "3 1 2028").Type("name.1", "Twice").Type("day.2", "1/1/2027").Type("name.2", "Another year").Press("Save")
	v.Has("Enter each date once.", "Enter a day in 2028.")
	check.Equal(t, v.Value("name.2"), "Another year", "what was typed")
	v.Type("day.1", "").Type("name.1", "").Type("day.2", "").Type("name.2", "").Press("Save").Has("Saved.", "Victoria, 2028")
	stored := func() string {
		return dbtest.Value[string](t, app.Pool,
			"SELECT coalesce(string_agg(concat_ws(' ', state, day, name), ','), '') FROM holiday WHERE day > '2028-01-01'")
	}
	check.Equal(t, stored(), "VIC 2028-01-03 New Year’s Day holiday", "what is stored")
	v.Type("day.0", "").Type("name.0", "").Press("Save").Has("Saved.")
	check.Equal(t, stored(), "", "after the row was cleared")
	check.Equal(t, dbtest.Value[string](t, app.Pool,
		"SELECT string_agg(reason, ',' ORDER BY id) FROM audit WHERE subject = 'holidays VIC 2028'"),
		"with 2028-01-03 New Year’s Day holiday,without 2028-01-03 New Year’s Day holiday", "the audit log")
}
