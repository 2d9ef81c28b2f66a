package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"
)

// startAcquirer serves a gateway that approves every card at once and stores nothing, so that the figures measure only
// the program and the database. It returns its address and a function that stops it.
func startAcquirer(ctx context.Context) (address string, stop func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(approve)}
	go func() { _ = server.Serve(listener) }() // stop ends it
	return "http://" + listener.Addr().String(), server.Close, nil
}

func approve(w http.ResponseWriter, r *http.Request) {
	var payment struct {
		Reference string `json:"reference"`
	}
	if err := json.NewDecoder(r.Body).Decode(&payment); err != nil || r.URL.Path != "/api/pay" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{ // the caller may be gone
		"status":        map[string]string{"responsetype": "1", "statuscode": "0", "errordesc": "Approved"},
		"transactionid": payment.Reference, "code": "00", "reference": payment.Reference,
	})
}
