package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// maxJPEG is the longest JPEG that is read from a child, in bytes.
const maxJPEG = 16 << 20

// errOutput means that a child wrote anything but the JPEGs that it was to make.
var errOutput = errors.New("picture: unexpected output of the child")

// develop decodes a file in a child process without environment or open files. memory, in bytes, seconds, of processor time, and wait are
// the child's limits.
func develop(ctx context.Context, file []byte, memory int64, seconds int, wait time.Duration, sides []int) ([]Picture, error) {
	if !able.Load() {
		return nil, errors.New("picture: main did not call Child")
	}
	args := []string{command, strconv.FormatInt(memory, 10), strconv.Itoa(seconds), strconv.Itoa(len(file))}
	for _, side := range sides {
		args = append(args, strconv.Itoa(side))
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	cmd := exec.CommandContext(limited, "/proc/self/exe", args...) // even after its file was replaced
	cmd.Args[0] = "forecourt"
	cmd.Env, cmd.Dir = []string{}, "/"
	cmd.Stdin = bytes.NewReader(file)
	cmd.WaitDelay = time.Second
	said := &firstWords{left: saidLimit}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	pictures, readErr := collect(out, sides)
	if readErr != nil {
		cancel()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() == exitBroken:
		return nil, ErrBroken
	case errors.As(err, &exit) && exit.ExitCode() == exitFailed:
		return nil, fmt.Errorf("picture: the child failed: %s", said.text.Bytes())
	case errors.Is(readErr, errOutput):
		return nil, readErr
	case errors.Is(limited.Err(), context.DeadlineExceeded) && used(cmd.ProcessState) < time.Duration(seconds)*time.Second:
		return nil, ErrBusy // it is not the file's fault
	case errors.As(err, &exit), limited.Err() != nil:
		return nil, ErrWork
	case err != nil:
		return nil, err
	}
	return pictures, nil
}

// used returns the processor time of a process that has ended.
func used(ended *os.ProcessState) time.Duration { return ended.UserTime() + ended.SystemTime() }

// saidLimit is how many bytes of a child's messages are kept. A child that a hostile file took over could write for as long as it runs.
const saidLimit = 4 << 10

// firstWords keeps the first bytes written to it and discards the rest.
type firstWords struct {
	text bytes.Buffer
	left int
}

func (w *firstWords) Write(p []byte) (int, error) {
	kept := p[:min(len(p), w.left)]
	w.left -= len(kept)
	w.text.Write(kept)
	return len(p), nil
}

// collect reads the JPEGs that a child made, and checks the length and size of each. Errors: errOutput, those of out.
func collect(out io.Reader, sides []int) ([]Picture, error) {
	var pictures []Picture
	for _, side := range sides {
		var size [4]byte
		if _, err := io.ReadFull(out, size[:]); err != nil {
			return nil, err
		}
		n := binary.BigEndian.Uint32(size[:])
		if n > maxJPEG {
			return nil, fmt.Errorf("%w: a JPEG of %d bytes", errOutput, n)
		}
		made := make([]byte, n)
		if _, err := io.ReadFull(out, made); err != nil {
			return nil, err
		}
		config, err := jpeg.DecodeConfig(bytes.NewReader(made))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errOutput, err)
		}
		if config.Width > side || config.Height > side {
			return nil, fmt.Errorf("%w: %d × %d pixels", errOutput, config.Width, config.Height)
		}
		pictures = append(pictures, Picture{made, config.Width, config.Height})
	}
	return pictures, nil
}
