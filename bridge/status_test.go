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
	t.Run("every failure gets the same answer, in the shape of a status (BRIDGE-25 BRIDGE-28)", func(t *testing.T) {
		if string(got) != want {
			t.Errorf("the fallback is %s, want %s", got, want)
		}
	})
}
