package picture

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fake"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/throttle"
)

// TestAChildIsConfined lets a child decode more than its limits allow, as if the headers had been checked.
func TestAChildIsConfined(t *testing.T) {
	t.Parallel()
	flat := fake.Flat(5000, 5000) // 100 MB
	_, err := develop(t.Context(), flat, 64<<20, maxCPU, time.Hour, []int{100})
	check.ErrorIs(t, err, ErrWork, "100 MB in 64 MiB")
	if made, err := develop(t.Context(), flat, 256<<20, maxCPU, time.Hour, []int{100}); err != nil || made[0].Width != 100 {
		t.Errorf("100 MB in 256 MiB: %v", err)
	}
	long := fake.JPEG{Width: 6000, Height: 6000, Components: 1, Scans: 500}.Bytes()
	_, err = develop(t.Context(), long, maxMemory, 1, time.Hour, []int{100})
	check.ErrorIs(t, err, ErrWork, "500 scans in a second")
	_, err = develop(t.Context(), long, maxMemory, maxCPU, 100*time.Millisecond, []int{100})
	check.ErrorIs(t, err, ErrBusy, "a child that had no time to use its processor time")
}

// mapped returns how many bytes of memory this process has mapped.
func mapped() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// TestPicturesAreBoundedInWork reads small files that take a lot of work to decode. Each is refused without using memory of this process for it.
func TestPicturesAreBoundedInWork(t *testing.T) {
	t.Parallel()
	flat := fake.Flat(5000, 5000) // unpacks to 100 MB, in a child
	before, s := mapped(), NewStudio()
	for name, tt := range map[string]struct {
		file []byte
		want error
	}{
		"312 KB of progressive CMYK that take a gigabyte":  {fake.JPEG{Width: 6300, Height: 6300, Components: 4}.Bytes(), ErrWork},
		"five thousand scans of 300 bytes":                 {fake.JPEG{Width: 6000, Height: 6000, Components: 1, Scans: 5000}.Bytes(), ErrWork},
		"progressive at 40 megapixels without subsampling": {fake.JPEG{Width: 6300, Height: 6300, Components: 3}.Bytes(), ErrWork},
		"a PNG of 64 gigapixels":                           {fake.PNG(250_000, 256_000, 8, 6, 0), ErrPixels},
		"an animated WebP":                                 {[]byte("RIFF\x1e\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\x09\x00\x00ANIM"), ErrMoving},
		"25 megapixels in one colour":                      {flat, nil},
	} {
		err := error(ErrBusy)
		for tries := 0; errors.Is(err, ErrBusy) && tries < 5; tries++ { // other programs may have the processors
			_, err = s.Reencode(t.Context(), tt.file, MaxSide)
		}
		check.ErrorIs(t, err, tt.want, "%s, %d bytes", name, len(tt.file))
	}
	if grown := (mapped() - before) >> 20; grown > 200 {
		t.Errorf("this process used %d MiB", grown)
	}
}

// Decoding this file is within the limits but takes seconds.
func TestAChildEndsWhenItsSenderLeaves(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer leave()
	_, err := NewStudio().Reencode(ctx, fake.JPEG{Width: 6000, Height: 6000, Components: 1, Scans: 60}.Bytes(), MaxSide)
	if !errors.Is(err, context.DeadlineExceeded) || Refused(err) {
		t.Errorf("the file of a sender who left: %v", err)
	}
}

// TestTheOutputOfAChildIsChecked reads output that a child must not write. It is not the file's error, unlike output that ends early.
func TestTheOutputOfAChildIsChecked(t *testing.T) {
	t.Parallel()
	output := func(file []byte) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(len(file))), file...)
	}
	small := asJPEG(t, photo(20, 10))
	for name, tt := range map[string]struct {
		out  []byte
		want error
	}{
		"a JPEG":                  {output(small), nil},
		"a JPEG of 4 GB":          {[]byte("\xff\xff\xff\xff"), errOutput},
		"not a JPEG":              {output([]byte("GIF89a")), errOutput},
		"a JPEG that is too wide": {output(asJPEG(t, photo(21, 10))), errOutput},
		"half a JPEG":             {output(small)[:len(small)/2], io.ErrUnexpectedEOF},
		"nothing":                 {nil, io.EOF},
	} {
		if _, err := collect(bytes.NewReader(tt.out), []int{20}); !errors.Is(err, tt.want) || Refused(err) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

func TestOnePictureInSeveralSizes(t *testing.T) {
	t.Parallel()
	made, err := NewStudio().Reencode(t.Context(), asJPEG(t, photo(1200, 600)), 800, 200)
	if err != nil || len(made) != 2 {
		t.Fatal(made, err)
	}
	for i, want := range []image.Point{{800, 400}, {200, 100}} {
		config, err := jpeg.DecodeConfig(bytes.NewReader(made[i].JPEG))
		if err != nil || config.Width != want.X || config.Height != want.Y || made[i].Width != want.X || made[i].Height != want.Y {
			t.Errorf("size %d: %d × %d, %v", i, config.Width, config.Height, err)
		}
	}
}

func TestAPictureWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	s := NewStudio()
	leave, _ := s.places.Take(throttle.Known("another"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	small := asJPEG(t, photo(9, 9))
	if _, err := s.Reencode(gone, small, MaxSide); !errors.Is(err, context.Canceled) || Refused(err) {
		t.Errorf("out of turn and with a cancelled context: %v", err)
	}
	s.places.Line = 0
	if _, err := s.Reencode(t.Context(), small, MaxSide); !errors.Is(err, ErrBusy) || Refused(err) || fault.CodeOf(err) != fault.Busy {
		t.Errorf("in a full line: %v", err)
	}
	s.places.Line = 1
	leave()
	if _, err := s.Reencode(t.Context(), small, MaxSide); err != nil || s.places.Taken() != 0 {
		t.Error(err, s.places.Taken())
	}
}

func FuzzReencode(f *testing.F) {
	webp, _ := base64.StdEncoding.DecodeString(tinyWebP)
	exif := tiff(6, binary.BigEndian)
	for _, seed := range [][]byte{
		withEXIF(asJPEG(f, photo(9, 9)), exif), insertChunk(asPNG(f, photo(9, 9)), "eXIf", exif), webp, []byte(strings.Repeat("\xff", 40)),
		fake.JPEG{Width: 16, Height: 16, Components: 4, Scans: 3}.Bytes(), fake.PNG(16, 16, 16, 6, 1),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if err := inspect(file); err != nil {
			if !Refused(err) {
				t.Error(err)
			}
			return
		}
		// Decode in this process: a child for each file would be slow.
		f, _ := identify(file)
		if config, _ := f.header(bytes.NewReader(file)); config.Width*config.Height > 1<<20 {
			return
		}
		if err := reencode(file, []int{100}, io.Discard); err != nil && !Refused(err) {
			t.Error(err)
		}
	})
}

func TestTheMessagesOfAChildAreBounded(t *testing.T) {
	t.Parallel()
	said := &firstWords{left: saidLimit}
	for range 1000 {
		if n, err := said.Write(bytes.Repeat([]byte("x"), 100)); n != 100 || err != nil {
			t.Fatal(n, err)
		}
	}
	check.Equal(t, said.text.Len(), 4096, "kept … of 100,000 bytes")
}
