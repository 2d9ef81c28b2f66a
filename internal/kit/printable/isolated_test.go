package printable_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/printable"
)

func TestNamesInASentenceStandApart(t *testing.T) {
	t.Parallel()
	for want, names := range map[string][]string{
		"": nil, "Tea": {"Tea"}, "Tea and Pie": {"Tea", "Pie"}, "Tea, \u2068شاي 2\u2069 and \u2068Ann חן\u2069": {"Tea", "شاي 2", "Ann חן"},
	} {
		check.Equal(t, printable.List(names), want, "%q", names)
	}
}
