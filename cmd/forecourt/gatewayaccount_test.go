package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestGatewayAccountsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	var status atomic.Int32
	status.Store(http.StatusOK)
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		_, _ = w.Write([]byte(`{"status":"00"}`))
	}))
	defer gateway.Close()
	values := outside(t, dbtest.URL(t), "FORECOURT_DEMO", "off", "GATEWAY_URL", gateway.URL, "GATEWAY_KEY", "k")
	command := func(want int, says, stdin string, args ...string) string {
		t.Helper()
		said := shell{t, values}.types(stdin, want, append([]string{"merchant", "gateway"}, args...)...)
		check.Contains(t, said, says, "%v says", args)
		return said
	}
	command(0, "The live account of panezski is kept; the gateway accepted it.", "Secret-1234\n", "panezski", "--live", "--mid", "SHOP-4711")
	said := command(0, "\nlive  …4711", "", "panezski")
	if strings.Contains(said, "SHOP") || strings.Contains(said, "Secret") {
		t.Errorf("the list is %s", said)
	}
	command(0, "accepted by the gateway", "", "panezski", "--live", "--try")
	var made struct{ Client, Mode, MID, Password string }
	if err := json.Unmarshal([]byte(command(0, "FC", "", "panezski", "--generate", "--json")), &made); err != nil ||
		made.Mode != "test" || len(made.Password) < 20 {
		t.Errorf("%+v, %v", made, err)
	}
	command(0, "The test account of moollar is removed.", "", "moollar", "--remove")
	command(1, "no such business", "", "nobody", "--generate")
	command(1, "no gateway account for this mode", "", "moollar", "--try")
	command(2, "mid: Use 4 to 64 letters", "", "panezski", "--mid", "a b")
	command(2, "password: Use 8 to 200 printable", "", "panezski", "--mid", "SHOP-4711")
	command(2, "", "", "panezski", "--generate", "--remove")
	command(2, `expected "<client>"`, "")
	status.Store(http.StatusServiceUnavailable)
	command(1, "the gateway did not answer", "Secret-1234\n", "panezski", "--mid", "SHOP-4712")
	command(0, "is removed", "", "panezski", "--live", "--remove")
	if said := command(0, "test", "", "panezski"); strings.Contains(said, "live") || strings.Contains(said, "4712") {
		t.Errorf("in the end the list is %s", said)
	}
}
