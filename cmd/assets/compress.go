package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"path"
	"runtime"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"
)

// compressible are the files that are text.
var compressible = []string{".css", ".ico", ".js", ".json", ".svg", ".txt"}

// encoders by the suffix of the file they make.
var encoders = map[string]func(io.Writer) (io.WriteCloser, error){
	".br": func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, 11), nil },
	".zst": func(w io.Writer) (io.WriteCloser, error) {
		return zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	},
	".gz": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
}

// compress adds to files every encoding of a text that is smaller than the text.
func compress(files map[string][]byte) error {
	var mutex sync.Mutex
	smaller := map[string][]byte{}
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for name, content := range files {
		if !slices.Contains(compressible, path.Ext(name)) {
			continue
		}
		group.Go(func() error {
			for suffix, encoder := range encoders {
				packed, err := encode(content, encoder)
				if err != nil {
					return err
				}
				if len(packed) < len(content) {
					mutex.Lock()
					smaller[name+suffix] = packed
					mutex.Unlock()
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	maps.Copy(files, smaller)
	return nil
}

func encode(content []byte, encoder func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var packed bytes.Buffer
	w, err := encoder(&packed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
