package picture

import (
	"encoding/binary"
	"image"
	"math"
)

// transform converts the colours of a file, as its ICC profile describes them, to sRGB.
type transform struct {
	linear [3][256]float64 // the linear light of each value of red, green and blue
	matrix [3][3]float64   // from linear light in the file's primaries to that in sRGB's
}

// fromXYZ leads from light under D50, as profiles describe it, to that in sRGB's primaries.
var fromXYZ = [3][3]float64{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

// transformOf reads a profile as cameras, phones and editors write them, of three curves and three primaries. It returns nil for any other,
// and for none: such a picture is taken to be in sRGB.
func transformOf(icc []byte) *transform {
	if len(icc) < 132 || string(icc[16:24]) != "RGB XYZ " {
		return nil
	}
	var c transform
	for i, name := range []string{"r", "g", "b"} {
		primary, curve := tag(icc, name+"XYZ"), curveOf(tag(icc, name+"TRC"))
		if len(primary) < 20 || curve == nil {
			return nil
		}
		for to := range c.matrix {
			for from := range 3 {
				c.matrix[to][i] += fromXYZ[to][from] * fixed(primary[8+4*from:])
			}
		}
		for n := range c.linear[i] {
			c.linear[i][n] = min(max(curve(float64(n)/255), 0), 1)
		}
	}
	return &c
}

// convert changes an opaque picture to sRGB.
func (c *transform) convert(img *image.RGBA) {
	if c == nil {
		return
	}
	var shades [1 << 13]byte // for light from 0 to 1
	for i := range shades {
		shades[i] = encode(float64(i) / float64(len(shades)-1))
	}
	for at := 0; at < len(img.Pix); at += 4 {
		px := img.Pix[at : at+3]
		r, g, b := c.linear[0][px[0]], c.linear[1][px[1]], c.linear[2][px[2]]
		for i, mix := range c.matrix {
			light := min(max(mix[0]*r+mix[1]*g+mix[2]*b, 0), 1)
			px[i] = shades[int(light*float64(len(shades)-1)+0.5)]
		}
	}
}

// encode returns the sRGB value of a linear light.
func encode(light float64) byte {
	if light <= 0.0031308 {
		return byte(light*12.92*255 + 0.5)
	}
	return byte((1.055*math.Pow(light, 1/2.4)-0.055)*255 + 0.5)
}

// tag returns a tag of a profile, nil if it lacks it.
func tag(icc []byte, name string) []byte {
	entries := icc[132:]
	for range binary.BigEndian.Uint32(icc[128:]) {
		if len(entries) < 12 {
			return nil
		}
		start, size := int64(binary.BigEndian.Uint32(entries[4:])), int64(binary.BigEndian.Uint32(entries[8:]))
		if string(entries[:4]) == name {
			if start+size > int64(len(icc)) {
				return nil
			}
			return icc[start : start+size]
		}
		entries = entries[12:]
	}
	return nil
}

// fixed reads a number of 16 bits before and 16 after the point.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 } //nolint:gosec // it has a sign

// curveOf returns how much light a channel's number from 0 to 1 stands for, nil if the tag does not say so in one of the usual ways.
func curveOf(tag []byte) func(number float64) float64 {
	if len(tag) < 12 {
		return nil
	}
	samples := tag[12:]
	sample := func(i int) float64 { return float64(binary.BigEndian.Uint16(samples[2*i:])) }
	p := [7]float64{1, 1} // the parameters of ICC.1, 10.18: g, a, b, c, d, e, f
	switch count := int64(binary.BigEndian.Uint32(tag[8:])); string(tag[:4]) {
	case "curv":
		if count*2 > int64(len(samples)) {
			return nil
		}
		if count > 1 {
			return func(number float64) float64 {
				at := number * float64(count-1)
				i := min(int(at), int(count)-2)
				return (sample(i) + (sample(i+1)-sample(i))*(at-float64(i))) / 65535
			}
		}
		if count == 1 {
			p[0] = sample(0) / 256
		}
	case "para":
		known := map[uint16]int{0: 1, 3: 5, 4: 7}[binary.BigEndian.Uint16(tag[8:])]
		if known == 0 || known*4 > len(samples) {
			return nil
		}
		for i := range known {
			p[i] = fixed(samples[4*i:])
		}
	default:
		return nil
	}
	return func(number float64) float64 {
		if number < p[4] {
			return p[3]*number + p[6]
		}
		return math.Pow(max(p[1]*number+p[2], 0), p[0]) + p[5]
	}
}

// wholeRange stretches the numbers of a lossy WebP, of which 16 is black and 235 white, to those of other pictures. The decoder leaves that
// to its caller (golang/go#40173).
func wholeRange(img image.Image) image.Image {
	var planes *image.YCbCr
	switch img := img.(type) {
	case *image.YCbCr:
		planes = img
	case *image.NYCbCrA:
		planes = &img.YCbCr
	default: // without loss
		return img
	}
	stretch := func(plane []byte, from, to, unit float64) {
		var table [256]byte
		for n := range table {
			table[n] = byte(min(max((float64(n)-from)*255/unit+to, 0), 255) + 0.5)
		}
		for i, n := range plane {
			plane[i] = table[n]
		}
	}
	stretch(planes.Y, 16, 0, 219)
	stretch(planes.Cb, 128, 128, 224)
	stretch(planes.Cr, 128, 128, 224)
	return img
}
