package menu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/shop/shop"
)

// Version is a menu that guests see or have seen: MadeBy is "" for what was there before the first version, Origin "" for the draft,
// "before" or "demo".
type Version = db.MenuVersionListRow

// Versions lists the latest versions of a shop's menu, newest first. Guests see the first one.
func (s *Studio) Versions(ctx context.Context, code string) ([]Version, error) {
	return s.queries.MenuVersionList(ctx, code)
}

// Restore makes an earlier version the draft; guests see it once it is published. revision is that of the draft that the person saw.
// Errors: ErrChanged, ErrMissing, shop.ErrMissing, shop.ErrRole.
func (s *Studio) Restore(ctx context.Context, by shop.Person, code string, no int32, revision int64) error {
	return s.change(ctx, by, code, "menu version brought back", func(d *draft) error {
		body, err := d.queries.MenuVersionGet(ctx, code, no)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return ErrMissing
		case err != nil:
			return err
		case d.revision != revision:
			return ErrChanged
		}
		d.Menu, d.detail = Menu{}, fmt.Sprintf("version %d", no)
		return json.Unmarshal(body, &d.Menu)
	})
}
