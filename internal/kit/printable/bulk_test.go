package printable_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/printable"
)

func TestElements(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		``:                                  0,
		`{"a":1,"b":{"c":2}}`:               0,
		`[1,2,3]`:                           3,
		`{"a":[{"b":[1,2]},{"b":[3]}]}`:     2,
		`{"a":[{},{}],"a":[null]}`:          3,
		`["[1,2]","\",\"","\\",{"a":"],"}]`: 4,
		`[[[1,2,3,4]]]`:                     1,
		`[{"a":1,"b":2},{"a":1,"b":2}]`:     2,
		`]]}}[1,2`:                          2,
		`["never ends, [`:                   1,
		`["ends in a backslash\`:            1,
	} {
		check.Equal(t, printable.JSONElements([]byte(text)), want, "%s", text)
	}
}
