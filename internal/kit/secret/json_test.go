package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
)

func TestSecretJSONIsKeptAndNeverPrinted(t *testing.T) {
	t.Parallel()
	var body struct{ Token, Data, None, Missing secret.JSON }
	check.Must(t, json.Unmarshal([]byte(`{"Token":"canary-1","Data":{"data": "canary-2"},"None":null}`), &body))
	for name, pair := range map[string][2]string{
		"a string": {string(body.Token.RevealJSON()), `"canary-1"`}, "an object": {string(body.Data.RevealJSON()), `{"data": "canary-2"}`},
		"a null": {string(body.None.RevealJSON()), "null"}, "none": {string(body.Missing.RevealJSON()), "null"},
	} {
		check.Equal(t, pair[0], pair[1], "%s reads", name)
	}
	if !body.None.IsZero() || body.Token.IsZero() {
		t.Error("IsZero is wrong: null is zero, a string is not")
	}
	var out bytes.Buffer
	for _, verb := range strings.Fields("v +v #v s q x X d") {
		fmt.Fprintf(&out, "%"+verb+" %"+verb+"\n", body, &body.Token)
	}
	marshalled, err := json.Marshal(body)
	check.Must(t, err)
	out.Write(marshalled)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "body", body, "token", body.Token)
	if strings.Contains(out.String(), "canary") || strings.Contains(out.String(), fmt.Sprintf("%x", "canary")) || !strings.Contains(out.String(), secret.Redacted) {
		t.Errorf("the values were printed: %s", out.String())
	}
	_, err = body.Token.Value()
	check.Error(t, err, "the token may be stored in the database")
}
