package order

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/typed"
)

const (
	// MaxNote is the greatest length of a note to the kitchen, in characters.
	MaxNote = 140
	// maxPicked bounds the number of options, which may be forged.
	maxPicked = 100
)

// Pick is an item with its options, spelled as in an address: "12" is item 12 with what its groups preset, "12~3-7" has the
// options 3 and 7, "12~" has none, and "12~3~bm8gaWNl" also has a note to the kitchen, in base64url. Equal picks are spelled alike.
type Pick string

// encoding accepts only one spelling of the same bytes.
var encoding = base64.RawURLEncoding.Strict()

// NewPick returns the pick of an item with options and a note; ok is false if it cannot be one.
func NewPick(item int64, options []int64, note string) (p Pick, ok bool) {
	options = slices.Compact(slices.Sorted(slices.Values(options)))
	if item <= 0 || len(options) > maxPicked || len(options) > 0 && options[0] <= 0 ||
		typed.Tidy(&note, MaxNote, "note", "") != "" {
		return "", false
	}
	s := strconv.FormatInt(item, 10) + "~"
	for i, id := range options {
		if i > 0 {
			s += "-"
		}
		s += strconv.FormatInt(id, 10)
	}
	if note != "" {
		s += "~" + encoding.EncodeToString([]byte(note))
	}
	return Pick(s), true
}

// ParsePick reads a pick. It accepts options in any order.
func ParsePick(s string) (p Pick, ok bool) {
	first, rest, chosen := strings.Cut(s, "~")
	item, err := strconv.ParseInt(first, 10, 64)
	if err != nil || item <= 0 || !chosen {
		return Pick(strconv.FormatInt(item, 10)), err == nil && item > 0
	}
	list, written, noted := strings.Cut(rest, "~")
	note, err := encoding.DecodeString(written)
	if err != nil || noted && len(note) == 0 || strings.Count(list, "-") >= maxPicked {
		return "", false
	}
	var options []int64
	for id := range strings.SplitSeq(list, "-") {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil && list != "" {
			return "", false
		}
		if list != "" {
			options = append(options, n)
		}
	}
	return NewPick(item, options, string(note))
}

// Item returns the item's id.
func (p Pick) Item() int64 {
	first, _, _ := strings.Cut(string(p), "~")
	id, _ := strconv.ParseInt(first, 10, 64)
	return id
}

// Options returns the ids of the options in ascending order. They are nil for those that the item's groups preset, and empty for none.
func (p Pick) Options() []int64 {
	_, rest, chosen := strings.Cut(string(p), "~")
	if !chosen {
		return nil
	}
	options := []int64{}
	list, _, _ := strings.Cut(rest, "~")
	for id := range strings.SplitSeq(list, "-") {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			options = append(options, n)
		}
	}
	return options
}

// Note returns the note to the kitchen, "" for none.
func (p Pick) Note() string {
	parts := strings.Split(string(p), "~")
	if len(parts) < 3 {
		return ""
	}
	note, _ := encoding.DecodeString(parts[2])
	return string(note)
}

// Line returns the order line for qty of this pick.
func (p Pick) Line(qty int) Line {
	return Line{ID: p.Item(), Qty: qty, Options: p.Options(), Note: p.Note()}
}

func comparePicks(a, b Pick) int { return cmp.Or(cmp.Compare(a.Item(), b.Item()), cmp.Compare(a, b)) }
