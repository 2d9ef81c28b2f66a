package account_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/must"
)

// The same vectors hold for the rules in the browser: islands/account/password.test.ts.
func TestThePasswordRulesMatchTheBrowsers(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../internal/people/account/testdata/passwords.json")
	must.NoError(t, err)
	var vectors []struct{ Name, Password, Confirm, Message string }
	must.NoError(t, json.Unmarshal(text, &vectors))
	app := apptest.New(t, apptest.Options{})
	for i, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			got := app.NewPerson(t).Post(t, "/signup", url.Values{
				"email": {fmt.Sprintf("p%d@example.com", i)}, "password": {v.Password}, "confirm": {v.Confirm},
			})
			if v.Message == "ok" {
				got.Want(t, 303, "AUTH-15")
				return
			}
			if got.Status != 422 || strings.Count(html.UnescapeString(got.Body), v.Message) != 2 {
				t.Errorf("AUTH-16: %d, want %q in the summary and under the field:\n%s", got.Status, v.Message, got.Body)
			}
		})
	}
}
