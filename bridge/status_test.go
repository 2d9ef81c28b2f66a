package bridge_test

import (
	"encoding/json"
	"testing"

	"forecourt/bridge"
)

func TestFallback(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(bridge.Fallback())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"connected":true,"status":"ready","trxRef":"abcxyz","currency":"AUD","amount":3,"trx":null}`
	if string(got) != want {
		t.Errorf("BRIDGE-25 BRIDGE-28 the fallback is %s, want %s", got, want)
	}
}
