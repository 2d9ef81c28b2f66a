package gatewayaccount_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/gatewayaccount"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/shop"
)

var staff = shop.Person{Email: "staff@forecourt.test", Proof: account.OperatorProof()}

func TestMain(m *testing.M) { dbtest.Main(m) }

const canary = "Canary-paylink-4716"

func row(t *testing.T, app *apptest.App, shop string, live bool) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool, "SELECT coalesce((SELECT k::text FROM shop_account k WHERE shop_code = $1 AND live = $2), '')", shop, live)
}

func TestAnAccountIsTriedBeforeItIsStored(t *testing.T) {
	t.Parallel()
	good := gatewayaccount.Account{MID: "FC-1234", Password: secret.New(canary)}
	for _, tt := range []struct {
		name    string
		answer  func(w http.ResponseWriter, body string)
		account gatewayaccount.Account
		want    error
	}{
		{"the gateway accepts it", func(w http.ResponseWriter, body string) {
			if !strings.Contains(body, `"publickey":"FC-1234"`) || !strings.Contains(body, canary) || !strings.Contains(body, `"testMode":true`) {
				t.Errorf("the gateway got %s", body)
			}
			fmt.Fprint(w, `{"status":"00","result":"key"}`)
		}, good, nil},
		{"the gateway refuses it", func(w http.ResponseWriter, _ string) { fmt.Fprint(w, `{"status":"03","result":""}`) }, good, gatewayaccount.ErrRefused},
		{"the gateway forbids it", func(w http.ResponseWriter, _ string) { http.Error(w, "no", http.StatusForbidden) }, good, gatewayaccount.ErrRefused},
		{"the gateway is broken", func(w http.ResponseWriter, _ string) { http.Error(w, "no", http.StatusBadGateway) }, good, gatewayaccount.ErrAway},
		{"the gateway's answer is unreadable", func(w http.ResponseWriter, _ string) { fmt.Fprint(w, "<html>") }, good, gatewayaccount.ErrAway},
		{"no merchant id", nil, gatewayaccount.Account{MID: "a b", Password: good.Password}, fault.Problems{"mid": "Use 4 to 64 letters, digits and . _ -"}},
		{"a short password", nil, gatewayaccount.Account{MID: "FC-1234", Password: secret.New("short")}, fault.Problems{"password": "Use 8 to 200 printable characters"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if tt.answer == nil || r.URL.Path != "/wallet/key" {
					t.Errorf("an unexpected call: %s", r.URL.Path)
					return
				}
				tt.answer(w, string(body))
			})})
			err := app.GatewayAccounts.Set(t.Context(), staff, "sabona", false, tt.account)
			got, _ := errors.AsType[fault.Problems](err)
			want, _ := errors.AsType[fault.Problems](tt.want)
			if !maps.Equal(got, want) || want == nil && !errors.Is(err, tt.want) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			kept := row(t, app, "sabona", false)
			if (kept != "") != (tt.want == nil) || strings.Contains(kept, canary) {
				t.Errorf("stored: %s", kept)
			}
			list, err := app.GatewayAccounts.Of(t.Context(), "sabona")
			if err != nil || tt.want == nil && (len(list) != 1 || list[0].End != "1234" || list[0].Tried == nil || list[0].SetBy != "staff@forecourt.test") {
				t.Errorf("shown as %+v, %v", list, err)
			}
		})
	}
}

func TestAPlainTextPasswordOfAnEarlierVersionIsSealed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	// The previous version inserts this way and may run beside this one.
	dbtest.Exec(t, app.Pool, "INSERT INTO shop_account (shop_code, live, paylink_mid, paylink_pwd) VALUES ('sabona', false, 'sandbox-sabona', $1)", canary)
	for range 2 {
		check.Must(t, app.GatewayAccounts.Seal(t.Context()))
	}
	if kept := row(t, app, "sabona", false); kept == "" || strings.Contains(kept, canary) {
		t.Errorf("stored: %s", kept)
	}
	// The sandbox opens an account at its first use and knows its password from then on.
	check.NoError(t, app.GatewayAccounts.Retry(t.Context(), staff, "sabona", false), "the sealed password cannot be read")
	same := gatewayaccount.Account{MID: "sandbox-sabona", Password: secret.New(canary)}
	check.NoError(t, app.GatewayAccounts.Set(t.Context(), staff, "sabona", false, same),
		"the sandbox refused the original password")
	same.Password = secret.New(canary + "x")
	check.ErrorIs(t, app.GatewayAccounts.Set(t.Context(), staff, "sabona", false, same), gatewayaccount.ErrRefused,
		"a wrong password")
	dbtest.Exec(t, app.Pool, "UPDATE shop_account a SET pwd_sealed = b.pwd_sealed FROM shop_account b WHERE a.shop_code = 'sabona' AND b.shop_code = 'panezski' AND NOT b.live")
	check.ErrorIs(t, app.GatewayAccounts.Retry(t.Context(), staff, "sabona", false), gatewayaccount.ErrSealed,
		"another business's password")
}

// TestAHangingGatewayStoresNothing calls a gateway that never answers.
func TestAHangingGatewayStoresNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Timeout: 50 * time.Millisecond, Gateway: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client has gone
		<-r.Context().Done()
	})})
	err := app.GatewayAccounts.Set(t.Context(), staff, "sabona", true, gatewayaccount.Generate())
	if !errors.Is(err, gatewayaccount.ErrAway) || row(t, app, "sabona", true) != "" {
		t.Errorf("%v, want ErrAway and nothing stored", err)
	}
}
