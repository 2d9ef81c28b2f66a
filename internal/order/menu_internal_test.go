package order

import (
	"maps"
	"slices"
	"testing"
	"time"
)

func TestMenusThatNobodyLooksAtAreForgotten(t *testing.T) {
	t.Parallel()
	m, start := NewMenus(nil, nil), time.Now()
	for minute := range 30 {
		now := start.Add(time.Duration(minute) * time.Minute)
		m.keep("busy", &Menu{}, now)
		if minute < 10 {
			m.keep(string(rune('a'+minute)), &Menu{}, now)
		}
	}
	if kept := slices.Collect(maps.Keys(m.kept)); len(kept) != 1 || kept[0] != "busy" {
		t.Errorf("kept are %q", kept)
	}
}
