// Package store keeps the files of an archive in a folder or in a bucket of an S3-compatible service.
package store

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// ErrMissing means that a store holds nothing of that name.
var ErrMissing = errors.New("not in the archive")

// ErrBroken means that a file could not be read to its end: the service stopped in the middle of its answer, or the disk failed or is away. It says
// nothing about the file.
var ErrBroken = errors.New("it cannot be read to its end")

// Store keeps files by their names, such as wal/000000010000000000000001.
type Store interface {
	// Put stores a file whole or not at all.
	Put(ctx context.Context, name string, file *os.File) error
	// Get returns a file's content, or ErrMissing.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// List returns the files whose names begin with a folder's name, in order.
	List(ctx context.Context, folder string) ([]Entry, error)
	// Remove removes a file. It is no error if there is none.
	Remove(ctx context.Context, name string) error
	// Clean removes incomplete files of programs that were killed.
	Clean(ctx context.Context) error
}

// Entry is a file in a store.
type Entry struct {
	Name string
	Size int64
	Made time.Time // by the clock of the store
}
