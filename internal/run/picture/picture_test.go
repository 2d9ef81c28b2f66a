package picture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fake"
)

// tinyWebP is a WebP of 1 × 1 pixel.
const tinyWebP = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"

// photo returns a picture that is red in its upper left quarter and blue elsewhere.
func photo(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{B: 255, A: 255}
			if x < w/2 && y < h/2 {
				c = color.RGBA{R: 255, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

// as returns a picture in a format.
func as(t testing.TB, encode func(io.Writer, image.Image) error, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	check.Must(t, encode(&b, img))
	return b.Bytes()
}

func asPNG(t testing.TB, img image.Image) []byte { return as(t, png.Encode, img) }

func asJPEG(t testing.TB, img image.Image) []byte {
	return as(t, func(w io.Writer, img image.Image) error { return jpeg.Encode(w, img, nil) }, img)
}

func asGIF(t testing.TB, img image.Image) []byte {
	return as(t, func(w io.Writer, img image.Image) error { return gif.Encode(w, img, nil) }, img)
}

// tiff returns an EXIF block with an orientation, and a location as the camera's serial number.
func tiff(orientation uint16, order binary.ByteOrder) []byte {
	b := []byte("II*\x00")
	if order == binary.BigEndian {
		b = []byte("MM\x00*")
	}
	var rest bytes.Buffer
	for _, v := range []any{
		uint32(8), uint16(2),
		uint16(0x010f), uint16(2), uint32(15), uint32(38),
		uint16(0x0112), uint16(3), uint32(1), orientation, uint16(0), uint32(0),
	} {
		_ = binary.Write(&rest, order, v)
	}
	return append(append(b, rest.Bytes()...), "GPS -33.8,151.2\x00"...)
}

// withEXIF puts an EXIF block into a JPEG.
func withEXIF(file, exif []byte) []byte {
	body := append([]byte("Exif\x00\x00"), exif...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(body)+2))...)
	return append(append(out, body...), file[2:]...)
}

// insertChunk inserts a chunk after a PNG's header.
func insertChunk(file []byte, name string, body []byte) []byte {
	c := append([]byte(name), body...)
	c = binary.BigEndian.AppendUint32(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), c...), crc32.ChecksumIEEE(c))
	return append(append(append([]byte{}, file[:33]...), c...), file[33:]...)
}

// rewrite re-encodes a file once, in the size of a document's picture.
func rewrite(t *testing.T, file []byte) ([]byte, error) {
	t.Helper()
	made, err := NewStudio().Reencode(t.Context(), file, MaxSide)
	if err != nil {
		return nil, err
	}
	return made[0].JPEG, nil
}

func TestReencodeTakesPhotos(t *testing.T) {
	t.Parallel()
	webp, err := base64.StdEncoding.DecodeString(tinyWebP)
	check.Must(t, err)
	for name, file := range map[string][]byte{
		"JPEG": asJPEG(t, photo(40, 30)), "PNG": asPNG(t, photo(40, 30)), "WebP": webp,
		"JPEG with a web page after it": append(asJPEG(t, photo(40, 30)), "<script>alert(1)</script><?php system('id'); ?>"...),
		"PNG with a page in a comment":  insertChunk(asPNG(t, photo(40, 30)), "tEXt", []byte("Comment\x00<script>alert(1)</script>")),
		"PNG of 16 bits":                asPNG(t, image.NewRGBA64(image.Rect(0, 0, 10, 10))),
		"transparent PNG":               asPNG(t, image.NewNRGBA(image.Rect(0, 0, 10, 10))),
	} {
		t.Run(name+" (COMPL-16)", func(t *testing.T) {
			t.Parallel()
			got, err := rewrite(t, file)
			check.Must(t, err)
			if _, kind, err := image.DecodeConfig(bytes.NewReader(got)); err != nil || kind != "jpeg" {
				t.Errorf("made %q: %v", kind, err)
			}
			for _, left := range []string{"<script", "<?php", "Exif", "GPS"} {
				if bytes.Contains(got, []byte(left)) {
					t.Errorf("the picture still contains %q", left)
				}
			}
		})
	}
}

func TestReencodeRefuses(t *testing.T) {
	t.Parallel()
	whole := asJPEG(t, photo(400, 300))
	noise := image.NewRGBA(image.Rect(0, 0, 300, 300))
	for i := range noise.Pix {
		noise.Pix[i] = byte(rand.Uint32())
	}
	noisy := asPNG(t, noise)
	for name, tt := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":                         {nil, ErrKind},
		"a text":                          {[]byte("hello"), ErrKind},
		"a GIF":                           {asGIF(t, photo(9, 9)), ErrKind},
		"an SVG":                          {[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), ErrKind},
		"a HEIC":                          {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), ErrHEIC},
		"a HEIC of another camera":        {[]byte("\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heix"), ErrHEIC},
		"an AVIF":                         {[]byte("\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif"), ErrKind},
		"an MP4":                          {[]byte("\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2"), ErrKind},
		"a PDF with a JPEG in it":         {append([]byte("%PDF-1.7\n"), whole...), ErrKind},
		"half a JPEG":                     {whole[:len(whole)/2], ErrBroken},
		"the first bytes of a JPEG":       {whole[:20], ErrBroken},
		"half a PNG":                      {noisy[:len(noisy)/2], ErrBroken},
		"a WebP that ends after its name": {[]byte("RIFF\x00\x00\x00\x00WEBPVP8 "), ErrBroken},
		"a PNG that unpacks to 400 GB":    {fake.PNG(200_000, 500_000, 8, 2, 0), ErrPixels},
		"a PNG of the largest size":       {fake.PNG(1<<31-1, 1<<31-1, 8, 2, 0), ErrBroken},
		"a PNG without pixels":            {fake.PNG(0, 10, 8, 2, 0), ErrBroken},
		"a PNG whose data is missing":     {fake.PNG(6000, 6000, 8, 2, 0), ErrBroken},
		"a file over 10 MiB":              {append(whole, make([]byte, MaxBytes)...), ErrBytes},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := rewrite(t, tt.file); !errors.Is(err, tt.want) || !Refused(err) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
}

func TestReencodeTurnsUpright(t *testing.T) {
	t.Parallel()
	// Where the red quarter appears, by orientation: left or right, upper or lower.
	seen := []string{"", "left upper", "right upper", "right lower", "left lower", "left upper", "right upper", "right lower", "left lower"}
	for want := 1; want <= 8; want++ {
		for name, order := range map[string]binary.ByteOrder{"II": binary.LittleEndian, "MM": binary.BigEndian} {
			exif := tiff(uint16(want), order)
			for kind, file := range map[string][]byte{
				"JPEG": withEXIF(asJPEG(t, photo(80, 40)), exif), "PNG": insertChunk(asPNG(t, photo(80, 40)), "eXIf", exif),
			} {
				got, err := rewrite(t, file)
				check.Must(t, err)
				img, err := jpeg.Decode(bytes.NewReader(got))
				check.Must(t, err)
				w, h := img.Bounds().Dx(), img.Bounds().Dy()
				check.Equal(t, want >= 5, h > w, "%s %s %d: the picture is %d × %d", kind, name, want, w, h)
				for place, at := range map[string]image.Point{
					"left upper": {w / 4, h / 4}, "right upper": {w * 3 / 4, h / 4}, "left lower": {w / 4, h * 3 / 4}, "right lower": {w * 3 / 4, h * 3 / 4},
				} {
					r, _, b, _ := img.At(at.X, at.Y).RGBA()
					check.Equal(t, r > b, place == seen[want],
						"%s %s %d: %s is %s", kind, name, want, place, map[bool]string{true: "red", false: "blue"}[r > b])
				}
				if bytes.Contains(got, []byte("GPS")) || bytes.Contains(got, []byte("Exif")) {
					t.Errorf("%s: the camera's data is left", kind)
				}
			}
		}
	}
}

func TestReencodeShrinksLargePictures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ w, h, wantW, wantH int }{
		{5400, 3600, 2400, 1600}, {3000, 10, 2400, 8}, {12000, 3, 2400, 1}, {2400, 2400, 2400, 2400}, {10, 20, 10, 20},
	} {
		got, err := rewrite(t, asJPEG(t, photo(tt.w, tt.h)))
		check.Must(t, err)
		if c, err := jpeg.DecodeConfig(bytes.NewReader(got)); err != nil || c.Width != tt.wantW || c.Height != tt.wantH {
			t.Errorf("%d × %d became %d × %d, %v", tt.w, tt.h, c.Width, c.Height, err)
		}
	}
}
