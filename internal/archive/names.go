package archive

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"forecourt/internal/archive/store"
)

const (
	logFolder  = "wal"
	baseFolder = "base"
	ending     = ".age"
	baseTime   = "20060102T150405.000Z"
)

// Base is a copy of the whole database.
type Base struct {
	Name  string    // in the store
	Ended time.Time // when it was complete; it can be restored to any time from here on
	First string    // the first segment of the log that it needs
	Size  int64     // in bytes
}

// timeline is the part of a segment's name that changes when a database is restored.
func (b Base) timeline() string { return b.First[:8] }

func baseName(ended time.Time, first string) string {
	return path.Join(baseFolder, ended.UTC().Format(baseTime)+"-"+first+ending)
}

// parseBase reads the name of a base. It returns false for any other name.
func parseBase(e store.Entry) (Base, bool) {
	at, first, ok := strings.Cut(strings.TrimSuffix(path.Base(e.Name), ending), "-")
	ended, err := time.Parse(baseTime, at)
	return Base{e.Name, ended, first, e.Size}, ok && err == nil && isSegment(first)
}

func logName(name string) string { return path.Join(logFolder, name+ending) }

func parseLog(e store.Entry) string { return strings.TrimSuffix(path.Base(e.Name), ending) }

var segment = regexp.MustCompile(`^[0-9A-F]{24}$`)

var segmentFile = regexp.MustCompile(`^[0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?$`)

// isLog reports whether a file belongs to a segment: all of it, its beginning, or the note of a backup that began there.
func isLog(name string) bool { return segmentFile.MatchString(name) }

// isSegment reports whether a file of the log is a whole segment. Its name is the timeline and two halves of its number, 8 digits each.
func isSegment(name string) bool { return segment.MatchString(name) }

// segmentsPerFile is how many segments a name's last 8 digits count: one step of the digits before them is 4 GB.
const segmentsPerFile = 4 << 30 / (16 << 20)

// after returns the segment that follows on the same timeline.
func after(name string) string {
	high, _ := strconv.ParseUint(name[8:16], 16, 32)
	low, _ := strconv.ParseUint(name[16:], 16, 32)
	if low++; low == segmentsPerFile {
		high, low = high+1, 0
	}
	return fmt.Sprintf("%s%08X%08X", name[:8], high, low)
}
