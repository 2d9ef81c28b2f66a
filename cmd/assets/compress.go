package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"path"
	"runtime"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
	"golang.org/x/sync/errgroup"
)

// compressible lists the suffixes of text files.
var compressible = []string{".css", ".ico", ".js", ".json", ".svg", ".txt"}

// encoders holds the encoders by the suffix of the file that they make.
var encoders = map[string]func(io.Writer) (io.WriteCloser, error){
	".br": func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, 11), nil },
	".gz": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
}

// compress replaces each text with its encoded forms if they are smaller. Package static unpacks the gzip form for a client that wants the
// plain text.
func compress(files map[string][]byte) error {
	var mutex sync.Mutex
	encoded := map[string]map[string][]byte{} // by the name of the text, then by suffix
	var group errgroup.Group
	group.SetLimit(runtime.NumCPU())
	for name, content := range files {
		if !slices.Contains(compressible, path.Ext(name)) {
			continue
		}
		group.Go(func() error {
			forms := map[string][]byte{}
			for suffix, encoder := range encoders {
				packed, err := encode(content, encoder)
				if err != nil {
					return err
				}
				if len(packed) >= len(content) {
					return nil
				}
				forms[suffix] = packed
			}
			mutex.Lock()
			defer mutex.Unlock()
			encoded[name] = forms
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for name, forms := range encoded {
		delete(files, name)
		for suffix, packed := range forms {
			files[name+suffix] = packed
		}
	}
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
