package picture

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"regexp"

	"golang.org/x/image/webp"
)

// format is a file format that can be decoded.
type format struct {
	header func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

// identify recognises a file's format by its content. Errors: ErrHEIC, ErrKind, ErrMoving.
func identify(file []byte) (format, error) {
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8\xff")):
		return format{jpeg.DecodeConfig, jpeg.Decode}, nil
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		return format{png.DecodeConfig, png.Decode}, nil
	case len(file) > 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP":
		const extended, animated = "VP8X", 0x02
		if len(file) > 20 && string(file[12:16]) == extended && file[20]&animated != 0 {
			return format{}, ErrMoving
		}
		return format{webp.DecodeConfig, decodeWebP}, nil
	case len(file) > 12 && string(file[4:8]) == "ftyp" && heic.Match(file[8:min(len(file), 64)]): // others are AVIF or films
		return format{}, ErrHEIC
	default:
		return format{}, ErrKind
	}
}

// heic matches the names of HEIC among those of the formats that a file says it has.
var heic = regexp.MustCompile(`^(?:....)*?he(?:i[cxms]|v[cxms])`)

func decodeWebP(file io.Reader) (image.Image, error) {
	img, err := webp.Decode(file)
	return wholeRange(img), err
}

// inspect reads the headers of a file. Errors: those of Refused.
func inspect(file []byte) error {
	f, err := identify(file)
	if err != nil {
		return err
	}
	config, err := f.header(bytes.NewReader(file))
	switch {
	case err != nil, config.Width < 1, config.Height < 1:
		return ErrBroken
	case int64(config.Width)*int64(config.Height) > MaxPixels:
		return ErrPixels
	}
	return nil
}
