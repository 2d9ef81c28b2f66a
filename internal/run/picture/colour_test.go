package picture

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"testing"

	"forecourt/internal/kit/check"
)

// wantColours looks at a JPEG that was made here, in which each colour has a field of 16 pixels beside the other.
func wantColours(t *testing.T, name string, made []byte, want ...color.RGBA) {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(made))
	check.Must(t, err, name)
	for i, c := range want {
		r, g, b, _ := img.At(16*i+8, 8).RGBA()
		for _, one := range [][2]int{{int(r >> 8), int(c.R)}, {int(g >> 8), int(c.G)}, {int(b >> 8), int(c.B)}} {
			if off := one[0] - one[1]; off < -6 || off > 6 {
				t.Errorf("%s, field %d: (%d, %d, %d), want %v", name, i, r>>8, g>>8, b>>8, c)
				break
			}
		}
	}
}

// Chromium drew the files of testdata: white, black and (208, 33, 33), as an iPhone stores them (p3), or with loss (WebP).
func TestAPictureKeepsItsColours(t *testing.T) {
	t.Parallel()
	white, black, red := color.RGBA{255, 255, 255, 255}, color.RGBA{A: 255}, color.RGBA{208, 33, 33, 255}
	for _, name := range []string{"p3.jpg", "p3.png", "p3.webp", "srgb.webp", "clear.webp"} {
		file, err := os.ReadFile("testdata/" + name)
		check.Must(t, err)
		got, err := rewrite(t, file)
		check.Must(t, err, name)
		wantColours(t, name, got, white, black, red)
	}
}

// adobeRGB is the profile of Adobe RGB (1998), made of its curve and primaries.
func adobeRGB(curve []byte) []byte {
	icc := append(make([]byte, 16), "RGB XYZ "...)
	icc = binary.BigEndian.AppendUint32(append(icc, make([]byte, 104)...), 6)
	body := []byte{}
	add := func(name string, content []byte) {
		icc = binary.BigEndian.AppendUint32(append(icc, name...), uint32(132+6*12+len(body)))
		icc = binary.BigEndian.AppendUint32(icc, uint32(len(content)))
		body = append(body, content...)
	}
	for name, xyz := range map[string][3]float64{"r": {0.60974, 0.31111, 0.01947}, "g": {0.20528, 0.62567, 0.06087}, "b": {0.14919, 0.06322, 0.74457}} {
		primary := []byte("XYZ \x00\x00\x00\x00")
		for _, v := range xyz {
			primary = binary.BigEndian.AppendUint32(primary, uint32(v*65536))
		}
		add(name+"XYZ", primary)
		add(name+"TRC", curve)
	}
	return append(icc, body...)
}

func TestAdobeRGBBecomesSRGB(t *testing.T) {
	t.Parallel()
	fields := image.NewRGBA(image.Rect(0, 0, 48, 16))
	for i := range fields.Pix {
		fields.Pix[i] = 255
	}
	for x := range 32 {
		c := []color.RGBA{{144, 255, 60, 255}, {128, 128, 128, 255}}[x/16]
		for y := range 16 {
			fields.SetRGBA(x, y, c)
		}
	}
	whole := adobeRGB([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33"))
	for name, one := range map[string]struct {
		icc         []byte
		green, grey color.RGBA
	}{
		"whole":                    {whole, color.RGBA{0, 255, 0, 255}, color.RGBA{127, 127, 127, 255}},
		"with a curve of no bend":  {adobeRGB([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x00")), color.RGBA{168, 255, 124, 255}, color.RGBA{188, 188, 188, 255}},
		"with a curve of samples":  {adobeRGB([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x37\xf8\xff\xff")), color.RGBA{64, 255, 73, 255}, color.RGBA{127, 127, 127, 255}},
		"cut off":                  {whole[:len(whole)-1], color.RGBA{144, 255, 60, 255}, color.RGBA{128, 128, 128, 255}},
		"with an endless list":     {append(append(append([]byte{}, whole[:128]...), 255, 255, 255, 255), whole[132:150]...), color.RGBA{144, 255, 60, 255}, color.RGBA{128, 128, 128, 255}},
		"with samples it does not": {adobeRGB([]byte("curv\x00\x00\x00\x00\xff\xff\xff\xff\x02\x33")), color.RGBA{144, 255, 60, 255}, color.RGBA{128, 128, 128, 255}},
	} {
		file := asJPEG(t, fields)
		segment := append([]byte("ICC_PROFILE\x00\x01\x01"), one.icc...)
		head := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe2}, uint16(len(segment)+2))
		got, err := rewrite(t, append(append(head, segment...), file[2:]...))
		check.Must(t, err, name)
		wantColours(t, name, got, one.green, one.grey, color.RGBA{255, 255, 255, 255})
	}
}
