package picture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// The sizes that a picture is kept in to be shown: pixels of the longer side at most. Small is sharp on a menu of any phone.
const (
	smallSide = 360
	largeSide = 1200
)

// Kept is a picture in two sizes, as JPEGs. Hash names the content: 128 bits of the SHA-256 of both, in hexadecimal.
type Kept struct {
	Hash         string
	Small, Large []byte
}

// Keep re-encodes a file in both sizes. Errors: those of Refused, ErrBusy.
func (s *Studio) Keep(ctx context.Context, file []byte) (Kept, error) {
	made, err := s.Reencode(ctx, file, smallSide, largeSide)
	if err != nil {
		return Kept{}, err
	}
	k := Kept{Small: made[0].JPEG, Large: made[1].JPEG}
	content := sha256.New()
	content.Write(k.Small)
	content.Write(k.Large)
	k.Hash = hex.EncodeToString(content.Sum(nil)[:16])
	return k, nil
}
