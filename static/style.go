package static

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"sync"
)

// Style is a stylesheet that a page can hold.
type Style struct {
	Text    string
	Element string // the text in <style>
	Hash    string // 'sha256-…', which allows the text in a Content-Security-Policy
}

// NewStyle returns the style for a text, which must not contain "</style".
func NewStyle(text string) Style {
	sum := sha256.Sum256([]byte(text))
	return Style{Text: text, Element: "<style>" + text + "</style>", Hash: "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}
}

// StyleAt returns the stylesheet with an address of URL. It is empty if there is none.
func StyleAt(address string) Style { return styles()[address] }

var styles = sync.OnceValue(func() map[string]Style {
	all := map[string]Style{}
	for _, name := range Names("") {
		if !strings.HasSuffix(name, ".css") {
			continue
		}
		if text, err := Read(name); err == nil {
			all[URL(name)] = NewStyle(strings.TrimSpace(string(text)))
		}
	}
	return all
})
