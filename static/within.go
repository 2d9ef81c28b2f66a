package static

import (
	"net/url"
	"strings"
	"sync"
)

// tiny is the size in bytes below which a picture in the page is smaller than the headers of a request for it, once the page is packed.
const tiny = 1024

// Within returns a data: address that holds the picture at an address of URL, if it is an SVG of at most a kilobyte. Any other address
// is returned as it is.
func Within(address string) string {
	if found, ok := tinyPictures()[address]; ok {
		return found
	}
	return address
}

var tinyPictures = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for _, name := range Names("img/") {
		if !strings.HasSuffix(name, ".svg") {
			continue
		}
		if text, err := Read(name); err == nil && len(text) <= tiny {
			all[URL(name)] = "data:image/svg+xml," + url.PathEscape(strings.TrimSpace(string(text)))
		}
	}
	return all
})
