package menu

import (
	_ "embed"
	"encoding/json"
)

//go:embed example.json
var example []byte

// Example is a small café's menu to begin with, made at one location.
func Example(loc string) Menu {
	var m Menu
	if err := json.Unmarshal(example, &m); err != nil {
		panic(err) // it is embedded
	}
	for c := range m.Categories {
		for i := range m.Categories[c].Items {
			m.Categories[c].Items[i].Loc = loc
		}
	}
	return m
}
