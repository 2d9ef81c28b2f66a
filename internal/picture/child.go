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

// command is the first argument of a child process; then come the bytes of memory and the seconds of
// processor time that it may take, the bytes of the file, and the sides.
const command = "decode-picture"

// How a child that fails ends. Any other end is a limit that it ran into.
const (
	exitFailed = 1 // for a reason that is not the file's
	exitBroken = 3 // the file is damaged
)

// reserve is how many bytes of a child's memory stay free for what Go's limit does not count.
const reserve = 16 << 20

// able is whether this program can be its own child: one that cannot would start itself without end.
var able atomic.Bool

// Child has to be the first call of a program's main, and of TestMain. In a process that a Studio started it decodes one picture
// from standard input, writes what it made to standard output and ends the process.
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

// work is what a child does, with the arguments behind command.
func work(args []string, in io.Reader, out io.Writer) error {
	numbers := make([]int, len(args))
	for i, arg := range args {
		var err error
		if numbers[i], err = strconv.Atoi(arg); err != nil {
			return err
		}
	}
	if len(numbers) < 4 || numbers[2] > MaxBytes {
		return fmt.Errorf("%s is a command for the program itself", command)
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

// reencode writes for each side the length of a JPEG, in four bytes, and the JPEG. Errors: those of Refused.
func reencode(file []byte, sides []int, out io.Writer) error {
	f, err := identify(file)
	if err != nil {
		return err
	}
	img, err := f.decode(bytes.NewReader(file))
	if err != nil {
		return ErrBroken
	}
	turn := orientation(file)
	for _, side := range sides {
		var made bytes.Buffer
		if err := jpeg.Encode(&made, upright(shrink(img, side), turn), &jpeg.Options{Quality: quality}); err != nil {
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
