package picture

import (
	"image"
	"image/color"

	"golang.org/x/image/draw"
)

// shrink draws a picture on white, with a longer side of at most that many pixels. It first halves a large picture step by step, so that
// every pixel counts and no step needs much memory.
func shrink(img image.Image, side int) *image.RGBA {
	from := img.Bounds()
	for longer(from.Size()) > 2*side {
		half := image.Rect(0, 0, max(from.Dx()/2, 1), max(from.Dy()/2, 1))
		img = scale(img, half)
		from = half
	}
	size := from.Size()
	if long := longer(size); long > side {
		size = image.Pt(max(size.X*side/long, 1), max(size.Y*side/long, 1))
	}
	return scale(img, image.Rectangle{Max: size})
}

func longer(size image.Point) int { return max(size.X, size.Y) }

func scale(img image.Image, to image.Rectangle) *image.RGBA {
	out := image.NewRGBA(to)
	draw.Draw(out, to, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(out, to, img, img.Bounds(), draw.Over, nil)
	return out
}

// upright turns a picture upright. orientation is how the camera was held, 1 to 8 as in EXIF.
func upright(img *image.RGBA, orientation int) *image.RGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	var from func(x, y int) (int, int) // where a pixel of the upright picture comes from
	switch orientation {
	case 2:
		from = func(x, y int) (int, int) { return w - 1 - x, y }
	case 3:
		from = func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }
	case 4:
		from = func(x, y int) (int, int) { return x, h - 1 - y }
	case 5:
		from = func(x, y int) (int, int) { return y, x }
	case 6:
		from = func(x, y int) (int, int) { return y, h - 1 - x }
	case 7:
		from = func(x, y int) (int, int) { return w - 1 - y, h - 1 - x }
	case 8:
		from = func(x, y int) (int, int) { return w - 1 - y, x }
	default:
		return img
	}
	turned := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		turned = image.Rect(0, 0, h, w)
	}
	out := image.NewRGBA(turned)
	for y := range turned.Dy() {
		for x := range turned.Dx() {
			out.SetRGBA(x, y, img.RGBAAt(from(x, y)))
		}
	}
	return out
}
