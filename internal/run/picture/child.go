package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
)

// command is the first argument of a child process. The others are its memory limit in bytes, its limit of processor time in seconds, the
// length of the file in bytes, and the sides in pixels.
const command = "decode-picture"

// The exit codes of a child that failed. Any other means that it hit a limit.
const (
	exitFailed = 1 // not because of the file
	exitBroken = 3 // the file is damaged
)

// reserve is the part of a child's memory, in bytes, that Go's own limit does not count.
const reserve = 16 << 20

// able reports whether main has called Child. A program that has not would start itself over and over.
var able atomic.Bool

// Child must be the first call of main, and of TestMain. In a process that a Studio started, it decodes the picture on standard input,
// writes the JPEGs to standard output and exits.
func Child() {
	if len(os.Args) < 2 || os.Args[1] != command {
		able.Store(true)
		return
	}
	err := work(os.Args[2:], os.Stdin, os.Stdout)
	switch {
	case errors.Is(err, ErrBroken):
		os.Exit(exitBroken)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitFailed)
	}
	os.Exit(0)
}

// work does the work of a child. args are the arguments after command.
func work(args []string, in io.Reader, out io.Writer) error {
	numbers := make([]int, len(args))
	for i, arg := range args {
		var err error
		if numbers[i], err = strconv.Atoi(arg); err != nil {
			return err
		}
	}
	if len(numbers) < 4 || numbers[2] > MaxBytes {
		return fmt.Errorf("%s is started by the program itself", command)
	}
	memory, seconds, size, sides := int64(numbers[0]), numbers[1], numbers[2], numbers[3:]
	runtime.GOMAXPROCS(1)
	debug.SetMemoryLimit(memory - reserve)
	if err := confine(memory, seconds); err != nil {
		return err
	}
	file := make([]byte, size)
	if _, err := io.ReadFull(in, file); err != nil {
		return err
	}
	return reencode(file, sides, out)
}

// reencode writes a JPEG for each side, each after its length in four bytes. Errors: those of Refused.
func reencode(file []byte, sides []int, out io.Writer) error {
	f, err := identify(file)
	if err != nil {
		return err
	}
	img, err := f.decode(bytes.NewReader(file))
	if err != nil {
		return ErrBroken
	}
	turn, toSRGB := orientation(file), transformOf(profileOf(file))
	for _, side := range sides {
		var made bytes.Buffer
		small := shrink(img, side)
		toSRGB.convert(small)
		if err := jpeg.Encode(&made, upright(small, turn), &jpeg.Options{Quality: quality}); err != nil {
			return err
		}
		if _, err := out.Write(binary.BigEndian.AppendUint32(nil, uint32(made.Len()))); err != nil { //nolint:gosec // a few megabytes
			return err
		}
		if _, err := made.WriteTo(out); err != nil {
			return err
		}
	}
	return nil
}
