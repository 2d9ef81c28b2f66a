package compliance

import (
	"slices"
	"strings"
)

// Australia is the country whose states and post codes are checked.
const Australia = "AU"

// states are Australia's states, by the abbreviations used on licences.
var states = []string{"ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"}

// States returns the states and territories of Australia.
func States() []string { return slices.Clone(states) }

// IsState reports whether a text is one of them.
func IsState(state string) bool { return slices.Contains(states, state) }

// postCodes holds the first and the last post code of each range of a state.
var postCodes = map[string][][2]string{
	"ACT": {{"0200", "0299"}, {"2600", "2620"}, {"2900", "2920"}},
	"NSW": {{"1000", "2611"}, {"2618", "2899"}, {"2921", "2999"}},
	"NT":  {{"0800", "0999"}},
	"QLD": {{"4000", "4999"}, {"9000", "9999"}},
	"SA":  {{"5000", "5999"}},
	"TAS": {{"7000", "7999"}},
	"VIC": {{"3000", "3999"}, {"8000", "8999"}},
	"WA":  {{"6000", "6999"}},
}

// borders are post codes that are also used on the other side of a border.
var borders = map[string]string{
	"NSW": "3500 3585 3586 3644 3691 3707 3730 4375 4377 4380 4383 4385 5440", "VIC": "2648 2715 2731 2732 2733 2738 2739",
	"QLD": "0872 2406 2372 2395", "SA": "0872", "WA": "0872", "NT": "4825 6798",
}

// inState reports whether a four-digit post code is used in a state.
func inState(postCode, state string) bool {
	return slices.ContainsFunc(postCodes[state], func(r [2]string) bool { return postCode >= r[0] && postCode <= r[1] }) ||
		slices.Contains(strings.Fields(borders[state]), postCode)
}
