package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"forecourt/internal/secret"
)

func TestSecretJSONIsKeptAndNeverPrinted(t *testing.T) {
	t.Parallel()
	var body struct{ Token, Data, None, Missing secret.JSON }
	if err := json.Unmarshal([]byte(`{"Token":"canary-1","Data":{"data": "canary-2"},"None":null}`), &body); err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]string{
		"a string": {string(body.Token.RevealJSON()), `"canary-1"`}, "an object": {string(body.Data.RevealJSON()), `{"data": "canary-2"}`},
		"a null": {string(body.None.RevealJSON()), "null"}, "none": {string(body.Missing.RevealJSON()), "null"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s reads %s, want %s", name, pair[0], pair[1])
		}
	}
	if !body.None.IsZero() || body.Token.IsZero() {
		t.Error("IsZero is wrong: null is zero, a string is not")
	}
	var out bytes.Buffer
	for _, verb := range strings.Fields("v +v #v s q x X d") {
		fmt.Fprintf(&out, "%"+verb+" %"+verb+"\n", body, &body.Token)
	}
	marshalled, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(marshalled)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "body", body, "token", body.Token)
	if strings.Contains(out.String(), "canary") || strings.Contains(out.String(), fmt.Sprintf("%x", "canary")) || !strings.Contains(out.String(), secret.Redacted) {
		t.Errorf("the values were printed: %s", out.String())
	}
	if _, err := body.Token.Value(); err == nil {
		t.Error("the token may be stored in the database")
	}
}
