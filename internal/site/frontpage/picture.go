package frontpage

import (
	"context"

	"forecourt/db"
	"forecourt/internal/shop/shop"
)

// AddPicture re-encodes a file, keeps it for a slide and returns its address. The same file always has the same address. Errors: those of
// picture.Refused, picture.ErrBusy, frontpage.ErrFull.
func (s *Store) AddPicture(ctx context.Context, by string, file []byte) (address string, err error) {
	kept, err := s.studio.Keep(ctx, file)
	if err != nil {
		return "", err
	}
	return shop.PicturePath + kept.Hash, change(ctx, s.pool, by, func(queries *db.Queries) (done, what string, err error) {
		if err := queries.SitePicturePrune(ctx); err != nil {
			return "", "", err
		}
		n, err := queries.SitePictureAdd(ctx, db.SitePictureAddParams{
			Hash: kept.Hash, Small: kept.Small, Large: kept.Large, Most: MostPictures,
		})
		if err == nil && n == 0 {
			err = ErrFull
		}
		return "slide picture added", kept.Hash, err
	})
}

// HasPicture reports whether an address is that of a picture that staff uploaded.
func (s *Store) HasPicture(ctx context.Context, address string) (bool, error) {
	return db.New(s.pool).SitePictureHas(ctx, address)
}
