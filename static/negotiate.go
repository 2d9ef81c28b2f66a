package static

import (
	"path"
	"strconv"
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

// choose returns the variant that the browser likes best, the smallest of several. The plain file is taken when nothing
// else is acceptable, even where the browser refuses that too: it can only be better than an error.
func choose(variants []variant, accept []string) variant {
	likes := qualities(strings.Join(accept, ","))
	var best variant
	var bestQuality float64
	for _, v := range variants {
		if v.encoding == "" && best.file == "" {
			best = v
		}
		quality := likes.of(v.encoding)
		if quality > bestQuality || quality == bestQuality && quality > 0 && v.size < best.size {
			best, bestQuality = v, quality
		}
	}
	return best
}

// preferences holds the q-values of an Accept-Encoding header, 0 to 1.
type preferences map[string]float64

func qualities(header string) preferences {
	likes := preferences{}
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		quality := 1.0
		if key, value, ok := strings.Cut(strings.TrimSpace(params), "="); ok && strings.EqualFold(key, "q") {
			parsed, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(parsed >= 0 && parsed <= 1) {
				parsed = 0
			}
			quality = parsed
		}
		likes[name] = quality
	}
	return likes
}

// of returns how welcome an encoding is. The plain file is acceptable unless refused, but only just: any named encoding
// comes first.
func (p preferences) of(encoding string) float64 {
	name := encoding
	if name == "" {
		name = "identity"
	}
	if quality, ok := p[name]; ok {
		return quality
	}
	if quality, ok := p["*"]; ok {
		return quality
	}
	if encoding == "" {
		return 0.0001
	}
	return 0
}
