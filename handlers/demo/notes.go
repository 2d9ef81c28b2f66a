package demo

import (
	"net/url"
	"strings"
	"sync"
	"time"

	view "forecourt/views/demo"
)

const (
	keptNotes = 500 // notifications of the demo that are kept
	keptFor   = 30 * time.Minute
	// maxFields and maxValue limit the size of a notification.
	maxFields = 60
	maxValue  = 500
)

// notes keeps notifications, so that the page can show them when the customer is back. Since this is a demo, they stay in this process, and
// only for a while.
type notes struct {
	mu   sync.Mutex
	now  func() time.Time
	kept map[string]note
	ids  []string // oldest first
}

type note struct {
	at     time.Time
	fields []view.Pair
}

func newNotes(now func() time.Time) *notes { return &notes{now: now, kept: map[string]note{}} }

// keep stores a notification, replacing an earlier one with the same id. The oldest ones make room.
func (n *notes) keep(id string, form url.Values) {
	fields := returned(form)
	fields = fields[:min(len(fields), maxFields)]
	for i, f := range fields {
		fields[i].Value = strings.ToValidUTF8(f.Value[:min(len(f.Value), maxValue)], "")
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, known := n.kept[id]; !known {
		n.ids = append(n.ids, id)
	}
	n.kept[id] = note{n.now(), fields}
	if len(n.ids) > keptNotes {
		delete(n.kept, n.ids[0])
		n.ids = n.ids[1:]
	}
}

func (n *notes) received(id string) []view.Pair {
	n.mu.Lock()
	defer n.mu.Unlock()
	kept, ok := n.kept[id]
	if !ok || n.now().Sub(kept.at) > keptFor {
		return nil
	}
	return kept.fields
}
