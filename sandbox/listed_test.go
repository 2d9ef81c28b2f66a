package sandbox

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"forecourt/internal/kit/check"
)

var (
	tableRow   = regexp.MustCompile(`(?m)^\| [45].*$`)
	lastOfCard = regexp.MustCompile(`(?:[0-9]{4} [0-9]{4} [0-9]{4} |…)([0-9]{4})`)
)

func TestThePageOfTestCardsListsEach(t *testing.T) {
	t.Parallel()
	var want []string
	for number := range maps.Keys(outcomes) {
		want = append(want, number[12:])
	}
	slices.Sort(want)
	text, err := os.ReadFile("../handlers/demo/pages/test-cards.md")
	check.Must(t, err)
	var got []string
	for _, row := range tableRow.FindAllString(string(text), -1) {
		for _, card := range lastOfCard.FindAllStringSubmatch(row, -1) {
			got = append(got, card[1])
		}
	}
	slices.Sort(got)
	check.List(t, got, want, "the page lists")
}
