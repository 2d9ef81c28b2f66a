package pay_test

import (
	"net/http"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/dbtest"
)

func TestPayingAPaymentThatARestoreClosedIsRefused(t *testing.T) {
	t.Parallel()
	for name, restore := range map[string]string{
		"until the import":                "INSERT INTO restore (backup_at) VALUES (now())",
		"until a person opens it as well": "INSERT INTO restore (backup_at, restored_at, reopened_at, held) VALUES (now(), now() + interval '1 minute', now(), true)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := app.Order(t)
			dbtest.Exec(t, app.Pool, restore)
			page := app.Visit(t, "/pos/panezski/"+id)
			page.Type("name", "Ann Lee").Type("card", "4111111111111111").Type("exp", "12/34").Type("cvc", "123").Type("email", "").Press("Pay $11.00")
			page.Has("cannot be paid right now", "nothing was charged just now", "do not pay again", "ask the business", "Pay $11.00")
			if page.Status != http.StatusOK || !strings.HasSuffix(page.Path, "?refused=restored") || len(app.Captures(t, id)) != 0 {
				t.Errorf("status %d, %d captures", page.Status, len(app.Captures(t, id)))
			}
		})
	}
}
