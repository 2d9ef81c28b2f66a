package ui

import (
	_ "embed" // of the icons
	"encoding/json"
	"sync"
)

// drawings are the icons of Lucide (ISC licence), by name: the data of a path. The islands read the same file.
//
//go:embed icons.json
var drawings []byte

var icons = sync.OnceValue(func() (icons map[string]string) {
	if err := json.Unmarshal(drawings, &icons); err != nil {
		panic("ui: icons.json: " + err.Error())
	}
	return icons
})
