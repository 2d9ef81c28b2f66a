package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// format is a file format that can be decoded.
type format struct {
	header func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	// memory returns how many bytes decoding takes at most. pixels comes from the header.
	memory func(file []byte, pixels int64) (int64, error)
}

// identify recognises a file's format by its content. Errors: ErrHEIC, ErrKind.
func identify(file []byte) (format, error) {
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8\xff")):
		return format{jpeg.DecodeConfig, jpeg.Decode, jpegMemory}, nil
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		return format{png.DecodeConfig, png.Decode, pngMemory}, nil
	case len(file) > 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP":
		return format{webp.DecodeConfig, webp.Decode, webpMemory}, nil
	case len(file) > 12 && string(file[4:8]) == "ftyp":
		return format{}, ErrHEIC // or a relative, such as AVIF
	default:
		return format{}, ErrKind
	}
}

// inspect works out from the headers alone how many bytes of memory a file takes to decode. Errors: those of Refused.
func inspect(file []byte) (memory int64, err error) {
	f, err := identify(file)
	if err != nil {
		return 0, err
	}
	config, err := f.header(bytes.NewReader(file))
	pixels := int64(config.Width) * int64(config.Height)
	switch {
	case err != nil, config.Width < 1, config.Height < 1:
		return 0, ErrBroken
	case pixels > MaxPixels:
		return 0, ErrPixels
	}
	memory, err = f.memory(file, pixels)
	if err == nil && memory > maxMemory {
		err = ErrWork
	}
	return memory, err
}

// pngMemory reads the header chunk, whose position is fixed. An interlaced picture takes twice the memory, because it is decoded in parts.
func pngMemory(file []byte, pixels int64) (int64, error) {
	const depth, interlace = 24, 28
	each := int64(4)
	if file[depth] == 16 {
		each = 8
	}
	if file[interlace] != 0 {
		each *= 2
	}
	return each * pixels, nil
}

// webpMemory assumes lossless compression, whose decoding takes twice the memory of the pixels. Errors: ErrMoving.
func webpMemory(file []byte, pixels int64) (int64, error) {
	const extended, animated = "VP8X", 0x02
	if len(file) > 20 && string(file[12:16]) == extended && file[20]&animated != 0 {
		return 0, ErrMoving
	}
	return 8 * pixels, nil
}

// jpegMemory adds up the padded samples of each component, the coefficients that a progressive file keeps until its last scan, and the
// picture that four components, or three of RGB, are converted to. Errors: ErrBroken, ErrWork for too many scans.
func jpegMemory(file []byte, pixels int64) (int64, error) {
	f := readFrame(file)
	switch {
	case f.samples == 0:
		return 0, ErrBroken
	case f.scans > maxScans:
		return 0, ErrWork
	}
	memory := f.samples
	if f.progressive {
		const coefficient = 4 // bytes
		memory += coefficient * f.samples
	}
	if f.components > 1 {
		memory += 4 * pixels
	}
	return memory, nil
}

// frame is what the segments of a JPEG say about the work of decoding it.
type frame struct {
	progressive bool
	components  int
	samples     int64 // of all components
	scans       int
}

// readFrame walks through the segments as the decoder does: it skips the bytes between them and stops at the end of the picture.
func readFrame(file []byte) (f frame) {
	for at := 2; ; {
		for at < len(file) && file[at] != 0xff {
			at++
		}
		for at < len(file) && file[at] == 0xff {
			at++
		}
		if at+3 > len(file) || file[at] == 0xd9 {
			return f
		}
		marker := file[at]
		at++
		if marker == 0 || marker >= 0xd0 && marker <= 0xd7 { // within a scan
			continue
		}
		size := int(binary.BigEndian.Uint16(file[at:]))
		if size < 2 || at+size > len(file) {
			return f
		}
		switch body := file[at+2 : at+size]; {
		case marker >= 0xc0 && marker <= 0xc2:
			f.read(body)
			f.progressive = f.progressive || marker == 0xc2
		case marker == 0xda:
			f.scans++
		}
		at += size
	}
}

// read reads the size and components of a picture. In a file with several, which no decoder accepts, the largest counts.
func (f *frame) read(body []byte) {
	if len(body) < 6 || len(body) < 6+3*int(body[5]) {
		return
	}
	height, width := int64(binary.BigEndian.Uint16(body[1:])), int64(binary.BigEndian.Uint16(body[3:]))
	components := int(body[5])
	var across, down, each int64 = 1, 1, 0
	for i := range components {
		h, v := int64(body[7+3*i]>>4), int64(body[7+3*i]&15)
		if components == 1 {
			h, v = 1, 1 // decoders ignore the factors of a single component
		}
		across, down, each = max(across, h), max(down, v), each+h*v
	}
	const block = 8 // pixels of a side
	units := ((width + block*across - 1) / (block * across)) * ((height + block*down - 1) / (block * down))
	f.components, f.samples = max(f.components, components), max(f.samples, units*each*block*block)
}
