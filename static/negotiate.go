package static

import (
	"path"
	"slices"
	"strings"
)

// encodings names the Content-Encoding of a precompressed file by its suffix.
var encodings = map[string]string{".br": "br", ".zst": "zstd", ".gz": "gzip"}

// contentTypes of what is built. The operating system's own table would differ from machine to machine.
var contentTypes = map[string]string{
	".avif": "image/avif",
	".css":  "text/css; charset=utf-8",
	".ico":  "image/x-icon",
	".jpg":  "image/jpeg",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".map":  "application/json",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".webp": "image/webp",
}

func contentType(name string) string {
	if known, ok := contentTypes[path.Ext(name)]; ok {
		return known
	}
	return "application/octet-stream"
}

// variant is one way to send a file.
type variant struct {
	file     string
	encoding string // "" is the file as it is
	size     int64
}

// choose returns the variant that the browser likes best. Variants come smallest first.
func choose(variants []variant, header []string) variant {
	offers := make([]string, 0, len(variants))
	for _, v := range variants {
		if v.encoding != "" {
			offers = append(offers, v.encoding)
		}
	}
	best := Encoding(strings.Join(header, ","), offers)
	return variants[slices.IndexFunc(variants, func(v variant) bool { return v.encoding == best })]
}
