package compliance

import (
	"bytes"
	"encoding/base64"
	"testing"

	"forecourt/internal/must"
)

func FuzzDataURL(f *testing.F) {
	for _, seed := range []string{"data:image/jpeg;base64,/9j/", "data:image/png,abc", "data:,", "", "data:image/png;base64,", "javascript:alert(1)", "data:text/html;base64,PGI+"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		file, err := dataURL(address)
		must.Equal(t, err == nil, len(file) > 0, "%q: %d bytes, %v", address, len(file), err)
		if err == nil && !bytes.Contains([]byte(address), []byte(";base64,")) {
			t.Fatalf("%q is accepted", address)
		}
		if whole := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(address)); address != "" {
			if back, err := dataURL(whole); err != nil || string(back) != address {
				t.Fatalf("%q came back as %q, %v", address, back, err)
			}
		}
	})
}
