package static

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"strings"
	"sync"
)

// Style is a stylesheet or script that a page can hold.
type Style struct {
	Text    string
	Element string // the text in <style> or <script>
	Hash    string // 'sha256-…', which allows the text in a Content-Security-Policy
}

// NewStyle returns the style for a text, which must not contain "</style".
func NewStyle(text string) Style { return within("style", text) }

func within(element, text string) Style {
	sum := sha256.Sum256([]byte(text))
	hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	return Style{Text: text, Element: "<" + element + ">" + text + "</" + element + ">", Hash: hash}
}

//go:embed early.js
var early string

// Early keeps what a person does with a page before its scripts have run. A form that is sent meanwhile waits for them, for a second at
// most, or, if it is of no use without them ([data-unloaded]), until they have come or failed. Then each press is made again. Of several
// that no script takes, the last sends the form, which names the others, too.
var Early = within("script", strings.Join(strings.Fields(early), " "))

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
