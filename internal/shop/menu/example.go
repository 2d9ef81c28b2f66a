package menu

import (
	_ "embed"
)

//go:embed example.csv
var example []byte

// Example is a small café's menu to begin with, made at one location.
func Example(loc string) Menu {
	m, _, wrong := ReadCSV(example, State{})
	if len(wrong) > 0 {
		panic(wrong[0].String()) // it is embedded
	}
	for c := range m.Categories {
		for i := range m.Categories[c].Items {
			m.Categories[c].Items[i].Loc = loc
		}
	}
	return m
}
