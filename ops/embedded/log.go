package embedded

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
)

const (
	logLimit = 1 << 20 // bytes; there are two files of this size at most
	tailSize = 1 << 10 // bytes kept for error messages
)

// boundedLog is a file that is renamed to name.1 when it is full, replacing the previous one. It is safe for concurrent use.
type boundedLog struct {
	name  string
	limit int64

	mu   sync.Mutex
	file *os.File
	size int64
	tail []byte
}

func openBoundedLog(name string, limit int64) (*boundedLog, error) {
	l := &boundedLog{name: name, limit: limit}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *boundedLog) open() error {
	f, err := os.OpenFile(l.name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	l.file, l.size = f, info.Size()
	return nil
}

// Write never fails: a full disk must not close the pipe that postgres writes to.
func (l *boundedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tail = append(l.tail, p...)
	l.tail = l.tail[max(0, len(l.tail)-tailSize):]
	if l.size > 0 && l.size+int64(len(p)) > l.limit {
		l.rotate()
	}
	n, _ := l.file.Write(p)
	l.size += int64(n)
	return len(p), nil
}

// rotate starts a new file. If it cannot make one, it empties the old file and keeps using it, so that its size stays bounded.
func (l *boundedLog) rotate() {
	old := l.file
	err := os.Rename(l.name, l.name+".1")
	if err == nil {
		err = l.open()
	}
	if err != nil {
		if old.Truncate(0) == nil {
			l.size = 0
		}
		return
	}
	_ = old.Close()
}

// Tail returns, on one line, the end of what was written since the log was opened.
func (l *boundedLog) Tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.ReplaceAll(strings.TrimSpace(string(l.tail)), "\n", " | ")
}

// Close closes the file. Nothing may be written after that.
func (l *boundedLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.file.Close(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}
