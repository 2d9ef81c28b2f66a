package desk_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
)

// On screen, staff make the compliance record of an application that was approved before an approval made one by itself.
func TestStaffMakeTheRecordOfAnOldApplication(t *testing.T) {
	t.Parallel()
	owner, staff := ready(t)
	run(t, owner, "UPDATE form SET state = 'approved', decided_at = now(), decided_by = 'before'")
	reference := dbtest.Value[string](t, owner.Pool, "SELECT reference FROM form")
	owner.Visit(t, bakery).Has("Agreement Later")
	page := "/staff/forms/" + reference
	staff.Visit(t, page).Has("Not given: the nature of the business", "Legal entity name The same as the trading name").
		Tick("decision", "record").Press("Record decision").Has("made the compliance record", "Agreement Not signed yet", "Identities 0 of 2 accepted").
		HasNot("Make the compliance record")
	owner.Visit(t, bakery).Has("Agreement To do").Follow("Read and sign").Has("For Ann's Apples")
	mailWith(t, owner, "Two things to do for Ann's Apples")

	// A second person who still sees the button makes no second record.
	must.NoError(t, owner.Forms.AcceptAgain(t.Context(), reference, "staff"))
	check.Equal(t, dbtest.Value[int](t, owner.Pool, "SELECT count(*) FROM compliance WHERE shop_code = 'anns-apples'"), 1, "records")
}
