package shop

import (
	"forecourt/internal/kit/fault"
)

// PicturePath is the path under which pictures are served. The hash of a picture follows it.
const PicturePath = "/picture/"

// Limits of the pictures that a shop keeps, including those that nothing shows.
const (
	MostPictures     = 2000
	MostPictureBytes = 300 << 20
)

// ErrPictures means that the shop has reached its limit of pictures.
var ErrPictures = fault.New(fault.Conflict, "the shop has reached its limit of pictures")
