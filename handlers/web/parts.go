package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// partTime is how long a reader may take to receive one part of an answer.
const partTime = 30 * time.Second

// SendParts answers with a file that write produces part by part, with a time limit for each part. size is the file's size in bytes, or 0
// if unknown. SendParts returns an error that comes before the first part. After that an error aborts the answer, so that nobody takes a
// part for the whole.
func SendParts(w http.ResponseWriter, media, name string, size int64, write func(io.Writer) error) error {
	out := &partWriter{w: w, control: http.NewResponseController(w), media: media, name: name, size: size}
	err := write(out)
	if err != nil && out.begun && !errors.Is(err, context.Canceled) {
		panic(http.ErrAbortHandler)
	}
	return err
}

// partWriter sets the headers with the first part.
type partWriter struct {
	w           http.ResponseWriter
	control     *http.ResponseController
	media, name string
	size        int64
	begun       bool
}

func (p *partWriter) Write(part []byte) (int, error) {
	if !p.begun {
		p.w.Header().Set("Content-Type", p.media)
		p.w.Header().Set("Content-Disposition", `attachment; filename="`+p.name+`"`)
		if p.size > 0 {
			p.w.Header().Set("Content-Length", strconv.FormatInt(p.size, 10))
		}
		p.begun = true
	}
	if err := p.control.SetWriteDeadline(time.Now().Add(partTime)); err != nil {
		return 0, err
	}
	return p.w.Write(part)
}
