package payment_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"forecourt/app/apptest"
	"forecourt/db/state"
	"forecourt/internal/kit/check"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/pay/payment"
)

// output is what payments told of themselves.
type output struct {
	mu   sync.Mutex
	text strings.Builder
	told []string
}

func (h *output) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *output) settled(now state.Attempt, method state.Method) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, string(method)+" "+string(now))
}

// alarms are the log's errors.
func (h *output) alarms() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(strings.Split(h.text.String(), "\n"), func(line string) bool { return !strings.Contains(line, "level=ERROR") })
}

// audible returns payments beside app's that are sent to a gateway which gives one answer, and what they tell.
func audible(t *testing.T, app *apptest.App, code int, body string) (*payment.Payments, *output) {
	t.Helper()
	server := httptest.NewServer(gatewayStub(func(w http.ResponseWriter, _ string) {
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}, nil))
	t.Cleanup(server.Close)
	h := &output{}
	return payment.New(app.Pool, gateway.New(gateway.Config{URL: server.URL}), payment.Config{
		Descriptor: func(string) string { return "" }, ReturnURL: func(string, string) string { return "" }, Settled: h.settled,
		RedirectHosts: []string{"bank.example"},
	}, slog.New(slog.NewTextHandler(h, nil))), h
}

func TestPaymentsReportEachAnswer(t *testing.T) {
	t.Parallel()
	redirect := `{"status":{"responsetype":"2","statuscode":"2"},"redirect":"https://%s/"}`
	for _, tt := range []struct {
		name, body string
		code       int
		told       string
		alarm      string // in one of the errors; "" for no error
	}{
		{"approved", fmt.Sprintf(approved, "1", ""), 200, "card approved", ""},
		{"declined", `{"status":{"responsetype":"0","statuscode":"5"}}`, 200, "card declined", ""},
		{"gone", "", 410, "card not_charged", ""},
		{"3-D Secure", fmt.Sprintf(redirect, "bank.example"), 200, "card redirected", ""},
		{"an unlisted host", fmt.Sprintf(redirect, "evil.example"), 200, "card unknown", "not listed"},
		{"an unreadable answer", "<html>", 200, "card unknown", ""},
		{"another amount", fmt.Sprintf(approved, "1", `,"amount":"99.00"`), 200, "card manual", "payment needs manual review"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			payments, heard := audible(t, app, tt.code, tt.body)
			_, err := payments.PayCard(t.Context(), "panezski", app.Order(t), "k", typed(t, "4111111111111111"))
			check.Must(t, err)
			check.Must(t, payments.Close(t.Context()))
			check.List(t, heard.told, []string{tt.told}, "reported")
			alarms := heard.alarms()
			if tt.alarm == "" && len(alarms) > 0 || !strings.Contains(strings.Join(alarms, "\n"), tt.alarm) {
				t.Errorf("alarms %q, want %q", alarms, tt.alarm)
			}
		})
	}
}

func TestAnAnswerThatCannotBeStoredRaisesAnAlarm(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	payments, heard := audible(t, app, 200, fmt.Sprintf(approved, "same", ""))
	for range 2 {
		_, err := payments.PayCard(t.Context(), "panezski", app.Order(t), "k", typed(t, "4111111111111111"))
		check.Must(t, err)
	}
	check.Must(t, payments.Close(t.Context()))
	check.List(t, heard.told, []string{"card approved", "card manual"}, "reported")
	if alarms := strings.Join(heard.alarms(), "\n"); !strings.Contains(alarms, "could not be stored") || !strings.Contains(alarms, "payment needs manual review") {
		t.Errorf("alarms %q", alarms)
	}
}

func TestAnUnreachableGatewayIsNoticed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	if app.Payments.GatewayAway() {
		t.Error("GatewayAway is true before the first call")
	}
	app.StopGateway()
	_, err := app.Payments.PayCard(t.Context(), "panezski", app.Order(t), "k", typed(t, "4111111111111111"))
	check.Must(t, err)
	if !app.Payments.GatewayAway() {
		t.Error("GatewayAway is false after a payment that did not reach the gateway")
	}
}
