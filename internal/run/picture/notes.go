package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// notes is a kind of block that a file has beside its picture.
type notes struct {
	marker byte // of the segments of a JPEG, each of which begins with prefix and that many more bytes
	prefix string
	more   int
	png    string
	webp   string
}

var (
	exif    = notes{0xe1, "Exif\x00\x00", 0, "eXIf", "EXIF"}
	profile = notes{0xe2, "ICC_PROFILE\x00", 2, "iCCP", "ICCP"}
)

// of returns the notes of a file; nil if it has none.
func (n notes) of(file []byte) []byte {
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8")):
		return n.ofJPEG(file)
	case bytes.HasPrefix(file, []byte("\x89PNG")):
		return ofPNG(file, n.png)
	default:
		return ofWebP(file, n.webp)
	}
}

// orientation returns how the camera was held according to the file, from 1 to 8. It returns 1 if the file says nothing sensible.
func orientation(file []byte) int {
	return readOrientation(bytes.TrimPrefix(exif.of(file), []byte(exif.prefix)))
}

// profileOf returns the ICC profile of a file, nil if it has none.
func profileOf(file []byte) []byte {
	icc := profile.of(file)
	if !bytes.HasPrefix(file, []byte("\x89PNG")) {
		return icc
	}
	_, packed, _ := bytes.Cut(icc, []byte{0}) // its name, then the way it is packed
	if len(packed) == 0 {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(packed[1:]))
	if err != nil {
		return nil
	}
	icc, _ = io.ReadAll(io.LimitReader(r, maxProfile))
	return icc
}

// maxProfile is how much is read of a packed profile, in bytes. Those of printers, the largest, are of no use here.
const maxProfile = 1 << 20

// ofJPEG returns the notes from the segments before the picture.
func (n notes) ofJPEG(file []byte) (found []byte) {
	for at := 2; at+4 <= len(file) && file[at] == 0xff; {
		marker, size := file[at+1], int(binary.BigEndian.Uint16(file[at+2:]))
		end := at + 2 + size
		if marker == 0xda || size < 2 || end > len(file) { // the picture itself
			break
		}
		body, ours := bytes.CutPrefix(file[at+4:end], []byte(n.prefix))
		if marker == n.marker && ours && len(body) >= n.more {
			found = append(found, body[n.more:]...)
		}
		at = end
	}
	return found
}

func ofPNG(file []byte, name string) []byte {
	return chunk(file, 8, func(head []byte) (string, int) { return string(head[4:]), int(binary.BigEndian.Uint32(head)) }, name, 4)
}

func ofWebP(file []byte, name string) []byte {
	return chunk(file, 12, func(head []byte) (string, int) {
		size := int(binary.LittleEndian.Uint32(head[4:]))
		return string(head[:4]), size + size%2
	}, name, 0)
}

// chunk returns the content of the first chunk with a name. read takes the name and size from the 8 bytes before a chunk; tail bytes follow
// each chunk.
func chunk(file []byte, at int, read func(head []byte) (name string, size int), wanted string, tail int) []byte {
	for at+8 <= len(file) {
		name, size := read(file[at : at+8])
		at += 8
		if size > len(file)-at {
			return nil
		}
		if name == wanted {
			return file[at : at+size]
		}
		at += size + tail
	}
	return nil
}

// readOrientation finds the tag 0x0112 in the first directory of a TIFF block.
func readOrientation(tiff []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case len(tiff) < 8:
		return 1
	case string(tiff[:2]) == "MM":
		order = binary.BigEndian
	case string(tiff[:2]) != "II":
		return 1
	}
	start := int64(order.Uint32(tiff[4:]))
	if start+2 > int64(len(tiff)) {
		return 1
	}
	entries := tiff[start+2:]
	for range order.Uint16(tiff[start:]) {
		if len(entries) < 12 {
			return 1
		}
		if order.Uint16(entries) == 0x0112 {
			if v := int(order.Uint16(entries[8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}
