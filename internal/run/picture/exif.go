package picture

import (
	"bytes"
	"encoding/binary"
)

// orientation returns how the camera was held according to the file, from 1 to 8. It returns 1 if the file says nothing sensible.
func orientation(file []byte) int {
	var exif []byte
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8")):
		exif = ofJPEG(file)
	case bytes.HasPrefix(file, []byte("\x89PNG")):
		exif = ofPNG(file)
	default:
		exif = ofWebP(file)
	}
	return readOrientation(bytes.TrimPrefix(exif, []byte("Exif\x00\x00")))
}

// ofJPEG returns the EXIF block from the segments before the picture.
func ofJPEG(file []byte) []byte {
	for at := 2; at+4 <= len(file) && file[at] == 0xff; {
		marker, size := file[at+1], int(binary.BigEndian.Uint16(file[at+2:]))
		end := at + 2 + size
		if marker == 0xda || size < 2 || end > len(file) { // the picture itself
			return nil
		}
		if body := file[at+4 : end]; marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return body
		}
		at = end
	}
	return nil
}

func ofPNG(file []byte) []byte {
	return chunk(file, 8, func(head []byte) (string, int) { return string(head[4:]), int(binary.BigEndian.Uint32(head)) }, "eXIf", 4)
}

func ofWebP(file []byte) []byte {
	return chunk(file, 12, func(head []byte) (string, int) {
		size := int(binary.LittleEndian.Uint32(head[4:]))
		return string(head[:4]), size + size%2
	}, "EXIF", 0)
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
