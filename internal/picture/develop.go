package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"os/exec"
	"strconv"
	"time"
)

// maxJPEG bounds what is read of a child for each side, in bytes.
const maxJPEG = 16 << 20

// develop decodes a file in a child process, which has no environment, no files, that much memory, in bytes, and that many seconds of
// processor time.
func develop(ctx context.Context, file []byte, memory int64, seconds int, sides []int) ([]Picture, error) {
	if !able.Load() {
		return nil, errors.New("picture: main did not call Child")
	}
	program, err := self()
	if err != nil {
		return nil, err
	}
	args := []string{command, strconv.FormatInt(memory, 10), strconv.Itoa(seconds), strconv.Itoa(len(file))}
	for _, side := range sides {
		args = append(args, strconv.Itoa(side))
	}
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	cmd := exec.CommandContext(limited, program, args...)
	cmd.Args[0] = "forecourt"
	cmd.Env, cmd.Dir = []string{}, "/"
	cmd.Stdin = bytes.NewReader(file)
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
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
		return nil, fmt.Errorf("picture: the child failed: %s", said.Bytes())
	case errors.As(err, &exit), limited.Err() != nil:
		return nil, ErrWork
	case err != nil:
		return nil, err
	}
	return pictures, readErr
}

// collect reads what a child made, and believes none of it unseen.
func collect(out io.Reader, sides []int) ([]Picture, error) {
	var pictures []Picture
	for _, side := range sides {
		var size [4]byte
		if _, err := io.ReadFull(out, size[:]); err != nil {
			return nil, err
		}
		n := binary.BigEndian.Uint32(size[:])
		if n > maxJPEG {
			return nil, errors.New("picture: a child made too much")
		}
		made := make([]byte, n)
		if _, err := io.ReadFull(out, made); err != nil {
			return nil, err
		}
		config, err := jpeg.DecodeConfig(bytes.NewReader(made))
		if err != nil || config.Width > side || config.Height > side {
			return nil, errors.New("picture: a child made something else")
		}
		pictures = append(pictures, Picture{made, config.Width, config.Height})
	}
	return pictures, nil
}
