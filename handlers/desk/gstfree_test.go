package desk_test

import (
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestAnItemCanHaveNoGSTInItsPrice(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	dbtest.Exec(t, app.Pool, "UPDATE shop SET gst_included = true, abn = '51 824 753 556' WHERE code = 'panezski'")
	item := dbtest.Value[string](t, app.Pool, "SELECT min(id)::text FROM item WHERE shop_code = 'panezski' AND available")
	path := "/desk/panezski/menu/item/" + item
	app.Visit(t, path).Has("No GST in its price").Tick("gstFree", "on").Press("Save")
	app.Visit(t, "/desk/panezski/menu/publish").Has("free of GST No → Yes").Press("Publish")
	free := func() bool {
		return dbtest.Value[bool](t, app.Pool, "SELECT gst_free FROM item WHERE id = $1::bigint", item)
	}
	check.Equal(t, free(), true, "the item is published without GST")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET gst_included = false WHERE code = 'panezski'")
	app.Visit(t, path).HasNot("No GST in its price").Type("description", "Fresh every morning").Press("Save")
	app.Visit(t, "/desk/panezski/menu/publish").Has("Fresh every morning").HasNot("In its price").Press("Publish")
	check.Equal(t, free(), true, "a form that does not ask keeps the answer")
}
