package shop

import "forecourt/internal/fault"

// PicturePath is where pictures are served. The hash of one follows.
const PicturePath = "/picture/"

// Limits of the pictures that a shop keeps, those that nothing shows included.
const (
	MostPictures     = 2000
	MostPictureBytes = 300 << 20
)

// ErrPictures means that a shop keeps as many pictures as it may.
var ErrPictures = fault.New(fault.Conflict, "the shop has reached its limit of pictures")
