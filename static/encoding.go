package static

import (
	"strconv"
	"strings"
)

// Encoding returns the one of offers that an Accept-Encoding header prefers, or the first of several that it prefers equally. It
// returns "", for an unencoded answer, if the header names none of them, even if the header refuses that: any answer is better than
// an error.
func Encoding(header string, offers []string) string {
	likes := qualities(header)
	best, bestQuality := "", likes.of("identity")
	for _, name := range offers {
		if quality := likes.of(name); quality > bestQuality || quality == bestQuality && quality > 0 && best == "" {
			best, bestQuality = name, quality
		}
	}
	return best
}

// preferences holds the q-values of a header, 0 to 1, by encoding.
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

// of returns how welcome an encoding is. The unencoded answer, "identity", is acceptable unless refused, but any encoding that the
// header names comes first.
func (p preferences) of(name string) float64 {
	if quality, ok := p[name]; ok {
		return quality
	}
	if quality, ok := p["*"]; ok {
		return quality
	}
	if name == "identity" {
		return 0.0001
	}
	return 0
}
