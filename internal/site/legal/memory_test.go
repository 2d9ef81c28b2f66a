package legal_test

import (
	"crypto/sha256"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/site/legal"
)

// TestALongDocumentTakesLittleMemory is not parallel, so that it measures only its own memory.
func TestALongDocumentTakesLittleMemory(t *testing.T) {
	saveAndRead(t, 32<<20)
}

// saveAndRead stores and reads size bytes and requires that the heap stays within a few pages.
func saveAndRead(t *testing.T, size int64) {
	t.Helper()
	const most = 24 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // measure live memory rather than uncollected garbage
	docs := legal.NewDocuments(dbtest.Pool(t))
	memory := &memory{}
	written, read := sha256.New(), sha256.New()
	source := io.TeeReader(&endless{left: size / int64(len(pattern)) * int64(len(pattern))}, io.MultiWriter(written, memory))
	saved, err := docs.Save(t.Context(), "long", source)
	if err != nil || saved.Bytes < size-int64(len(pattern)) {
		t.Fatalf("%+v, %v", saved, err)
	}
	must.NoError(t, docs.Write(t.Context(), "long", io.MultiWriter(read, memory)))
	check.Equal(t, string(written.Sum(nil)), string(read.Sum(nil)), "the text was read back changed")
	t.Logf("%d MiB in %d pages took %d MiB of memory at most", saved.Bytes>>20, saved.Pages, memory.peak>>20)
	if memory.peak > most {
		t.Errorf("%d bytes of memory, want at most %d", memory.peak, most)
	}
}

// pattern has characters of one, two, three and four bytes.
const pattern = "Forecourt: ½ cup of café, 3 € 😀\n"

// endless reads left bytes of text.
type endless struct {
	left int64
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	for n < len(p) && e.left > 0 {
		copied := copy(p[n:min(int64(len(p)), int64(n)+e.left)], pattern[e.at:])
		n, e.left, e.at = n+copied, e.left-int64(copied), (e.at+copied)%len(pattern)
	}
	return n, nil
}

// memory samples the heap after each MiB.
type memory struct {
	peak  uint64
	bytes int
}

func (m *memory) Write(p []byte) (int, error) {
	before := m.bytes >> 20
	if m.bytes += len(p); m.bytes>>20 != before {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		m.peak = max(m.peak, stats.HeapAlloc)
	}
	return len(p), nil
}
