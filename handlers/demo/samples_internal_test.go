package demo

import (
	"encoding/json"
	"os"
	"testing"

	"forecourt/internal/kit/check"
	view "forecourt/views/demo"
)

// The same file is read by islands/demo/hosted-page/samples.test.ts.
func TestSamplesQuoteWhatIsTyped(t *testing.T) {
	t.Parallel()
	var want struct {
		URL     string
		Fields  [][2]string
		Written map[string]string
	}
	text, err := os.ReadFile("testdata/samples.json")
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil || len(want.Written) != len(samples) {
		t.Fatal(err, len(want.Written))
	}
	var fields []view.Pair
	for _, f := range want.Fields {
		fields = append(fields, view.Pair{Name: f[0], Value: f[1]})
	}
	for _, s := range samples {
		check.Equal(t, write(s, want.URL, fields), want.Written[s.ID], "%s:\nwant", s.Name)
	}
}
