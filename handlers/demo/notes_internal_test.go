package demo

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestNotesAreFewShortAndForgotten(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	n := newNotes(func() time.Time { return now })
	for i := range keptNotes + 1 {
		n.keep(fmt.Sprint(i), url.Values{"a": {strings.Repeat("x", 9999)}})
	}
	if n.received("0") != nil || len(n.kept) != keptNotes || len(n.ids) != keptNotes {
		t.Errorf("%d are kept", len(n.kept))
	}
	if got := n.received("1"); len(got) != 1 || len(got[0].Value) != maxValue {
		t.Errorf("kept %v", got)
	}
	n.keep("1", url.Values{"a": {"second"}})
	if got := n.received("1"); got[0].Value != "second" || len(n.ids) != keptNotes {
		t.Errorf("kept %v", got)
	}
	now = now.Add(keptFor + time.Second)
	if n.received("1") != nil {
		t.Error("it is not forgotten")
	}
}
