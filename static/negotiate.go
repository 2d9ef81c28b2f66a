package static

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// encodings names the Content-Encoding of a precompressed file by its suffix.
var encodings = map[string]string{".br": "br", ".gz": "gzip"}

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
	packed   bool // sent as it is, though file is its gzip form
}

// withPlain adds the unencoded form to a text of which only encoded forms were built: few ask for it, and the program would
// carry every text once more.
func withPlain(variants []variant) []variant {
	if slices.ContainsFunc(variants, func(v variant) bool { return v.encoding == "" }) {
		return variants
	}
	for _, v := range variants {
		if v.encoding == "gzip" {
			return append(variants, variant{file: v.file, packed: true})
		}
	}
	return variants
}

// read returns what is sent.
func (v variant) read(files fs.FS) ([]byte, error) {
	content, err := fs.ReadFile(files, v.file)
	if err != nil || !v.packed {
		return content, err
	}
	unzip, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unzip)
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
