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
	return listen(ctx, "", approve)
}

// listen answers requests on a free port until stop is called, and returns the address with a path.
func listen(ctx context.Context, path string, answer http.HandlerFunc) (address string, stop func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: answer}
	go func() { _ = server.Serve(listener) }() // stop ends it
	return "http://" + listener.Addr().String() + path, server.Close, nil
}

// startWallet serves an empty script in place of Google's, since somebody else's server is not measured. It returns the script's address and a
// function that stops it.
func startWallet(ctx context.Context) (address string, stop func() error, err error) {
	return listen(ctx, "/pay.js", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/javascript") })
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
