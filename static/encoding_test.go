package static_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/static"
)

func TestEncoding(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"gzip, deflate, br, zstd": "br", "gzip, zstd": "zstd", "GZIP": "gzip", "*": "br", "*, br;q=0": "zstd",
		"br;q=0.5, zstd;q=0.9, gzip;q=0.1": "zstd", "br;q=0, gzip;q=0.1": "gzip", "br;q=x, zstd;q=7, GZIP;Q=1": "gzip", "br; q=0.5 , gzip ; q=1": "gzip",
		"gzip, deflate, zstd": "zstd", "gzip": "gzip", "br;q=0, gzip": "gzip", "br;q=0.0, zstd;q=0.000, gzip;q=0": "", "gzip;q=0.5, br;q=0.001": "gzip",
		"br;q=0, *": "zstd", "*;q=0, gzip": "gzip", "br;q=nonsense": "", " br ; q=1 ": "br", ",,;;q,=": "", "identity": "",
		"": "", "deflate": "", "identity, br;q=0.5": "", "*;q=0": "", "identity;q=0, *;q=0": "", "identity;q=0.5, gzip;q=0.5": "gzip",
	} {
		check.Equal(t, static.Encoding(header, []string{"br", "zstd", "gzip"}), want, "%q gets", header)
	}
	check.Equal(t, static.Encoding("br", nil), "", "without any variants the encoding")
}
