package compliance

import "slices"

// Australia is the country whose states, and the form of whose post codes, are checked.
const Australia = "AU"

// states are Australia's states, by the abbreviations used on licences.
var states = []string{"ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"}

// States returns the states and territories of Australia.
func States() []string { return slices.Clone(states) }

// IsState reports whether a text is one of them.
func IsState(state string) bool { return slices.Contains(states, state) }
