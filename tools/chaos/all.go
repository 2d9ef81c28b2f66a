package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// all runs load, and the crash matrix while load waits for its last letters, which takes most of a minute without any work.
func all(ctx context.Context, o options) error {
	// Without this check, a patch that does not fit would only show after the load.
	if err := checkPatches(o.root); err != nil {
		return err
	}
	calm := make(chan struct{})
	o.calm = sync.OnceFunc(func() { close(calm) })
	deaths, said := o, new(bytes.Buffer)
	deaths.out = said
	if o.keep != "" {
		deaths.keep = filepath.Join(o.keep, "crashes")
	}
	died := make(chan error, 1)
	go func() {
		<-calm
		died <- crashes(ctx, deaths)
	}()
	err := load(ctx, o)
	o.calm() // load may have ended before its payers were done
	dead := <-died
	if _, writing := said.WriteTo(o.out); writing != nil {
		return writing
	}
	if err == nil || errors.Is(err, errBroken) && dead != nil {
		return dead
	}
	return err
}

func checkPatches(root string) error {
	dir, err := os.MkdirTemp("", "forecourt-chaos-")
	if err != nil {
		return err
	}
	_, err = overlay(root, dir, "", crashPatches(), crashFiles())
	return errors.Join(err, os.RemoveAll(dir))
}
