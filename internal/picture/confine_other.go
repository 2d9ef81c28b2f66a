//go:build !linux

package picture

import "os"

// confine does nothing: on other systems the memory that the headers promise, Go's own limit and maxTime have to do.
func confine(int64, int) error { return nil }

func self() (string, error) { return os.Executable() }
