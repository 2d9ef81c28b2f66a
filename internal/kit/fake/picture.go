// Package fake has what tests meet in place of the world outside: pictures that are small and take a lot of work to decode, a mail
// server, and an authority that issues certificates.
package fake

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
)

// JPEG is a progressive file in which all samples are the same.
type JPEG struct {
	Width, Height uint16
	Components    byte // 1, 3 or 4; 4 is CMYK
	Scans         int  // beyond the first; each looks at every block of the first component
}

// Bytes returns the file. It has a bit for each block of the first scan, and about 50 bytes for each further scan of a large picture.
func (j JPEG) Bytes() []byte {
	var b bytes.Buffer
	segment := func(marker byte, body ...byte) {
		b.Write([]byte{0xff, marker})
		b.Write(binary.BigEndian.AppendUint16(nil, uint16(len(body)+2))) //nolint:gosec // short
		b.Write(body)
	}
	// A table with one code, a single bit.
	table := func(class, value byte) {
		segment(0xc4, append(append([]byte{class, 1}, make([]byte, 15)...), value)...)
	}
	b.Write([]byte{0xff, 0xd8})
	if j.Components == 4 {
		segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, j.Height), j.Width)
	frame, scan := append(size, j.Components), []byte{j.Components}
	for i := range j.Components {
		frame = append(frame, i+1, 0x11, 0)
		scan = append(scan, i+1, 0)
	}
	segment(0xc2, frame...)
	blocks := ((int(j.Width) + 7) / 8) * ((int(j.Height) + 7) / 8)
	table(0x00, 0)
	segment(0xda, append(scan, 0, 0, 0)...)
	b.Write(make([]byte, (blocks*int(j.Components)+7)/8))
	table(0x10, 0xe0) // skips 16,384 blocks and as many as 14 bits say
	for range j.Scans {
		segment(0xda, 1, 1, 0, 1, 63, 0)
		b.Write(runs(blocks))
	}
	b.Write([]byte{0xff, 0xd9})
	return b.Bytes()
}

// runs returns a scan that skips that many blocks.
func runs(blocks int) []byte {
	var bits []byte
	for left := blocks; left > 0; left -= 1 << 14 {
		bits = append(bits, make([]byte, 15)...)
	}
	return make([]byte, (len(bits)+7)/8)
}

// PNG returns a file that claims a size, depth and colour type but has next to no content.
func PNG(width, height uint32, depth, color, interlace byte) []byte {
	head := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	head = append(head, depth, color, 0, 0, interlace)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, head...), crc32.ChecksumIEEE(head))
}

// Flat returns a complete PNG of one colour. With 40 megapixels it takes 40 KB and unpacks to 160 MB.
func Flat(width, height int) []byte {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, image.NewNRGBA(image.Rect(0, 0, width, height))); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}
