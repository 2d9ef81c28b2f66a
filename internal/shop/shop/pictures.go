package shop

import (
	"context"
	"encoding/base64"
	"regexp"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
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
var ErrPictures = fault.New(fault.Conflict,
	"Your business has reached the limit for pictures. Remove some from your menu, which frees space after a while.")

// hashForm matches the name of a picture: 128 bits of the SHA-256 of both sizes.
var hashForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// AddPicture re-encodes a file, keeps it for a shop and returns its address. The same file again has the same address. Errors:
// those of picture.Refused, picture.ErrBusy, ErrPictures, ErrMissing, ErrRole.
func (s *Shops) AddPicture(ctx context.Context, by Person, code string, file []byte) (address string, err error) {
	kept, err := s.Studio.Keep(ctx, file)
	if err != nil {
		return "", err
	}
	return PicturePath + kept.Hash, s.Change(ctx, by, code, Edit, func(tx pgx.Tx) (Change, error) {
		n, err := db.New(tx).PictureAdd(ctx, db.PictureAddParams{
			Hash: kept.Hash, ShopCode: code, Small: kept.Small, Large: kept.Large, Most: MostPictures, MostBytes: MostPictureBytes,
		})
		if err == nil && n == 0 {
			err = ErrPictures
		}
		return Change{Action: "picture added", Detail: kept.Hash}, err
	})
}

// carriedSide is the longer side, in pixels, of a logo that a form carries.
const carriedSide = 240

// MostCarried is the length of the longest text that Carry returns, in bytes. It keeps a form within its limit.
const MostCarried = 40 << 10

// Carry encodes the logo of a shop that is still to be made, small enough for its form to carry as text. It returns "" for a picture
// that does not get small enough. Errors: those of picture.Refused, picture.ErrBusy.
func (s *Shops) Carry(ctx context.Context, file []byte) (string, error) {
	made, err := s.Studio.Reencode(ctx, file, carriedSide)
	if err != nil {
		return "", err
	}
	text := base64.StdEncoding.EncodeToString(made[0].JPEG)
	if len(text) > MostCarried {
		return "", nil
	}
	return text, nil
}

// Picture returns a picture by its hash, as a JPEG. Errors: ErrMissing.
func (s *Shops) Picture(ctx context.Context, hash string, large bool) ([]byte, error) {
	if !hashForm.MatchString(hash) {
		return nil, ErrMissing
	}
	file, err := s.queries.PictureGet(ctx, large, hash)
	return file, none(err, ErrMissing)
}

// OwnsPicture reports whether a shop may show the picture at an address. A shop shows only its own.
func (s *Shops) OwnsPicture(ctx context.Context, code, address string) (bool, error) {
	return s.queries.PictureOwned(ctx, code, address)
}
