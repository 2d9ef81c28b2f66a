package shop

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/secret"
)

// Screens lists the kitchen screens of a shop: those that work, then those that ended within shop.ScreenShownFor.
func (t *Team) Screens(ctx context.Context, code string) ([]Screen, error) {
	rows, err := t.queries.ScreenList(ctx, code, ScreenShownFor)
	list := make([]Screen, len(rows))
	for i, row := range rows {
		list[i] = Screen{
			ID: row.ID, Name: row.Name, MadeBy: row.MadeBy, Made: row.CreatedAt, Opened: row.OpenedAt, Seen: row.SeenAt, Ended: row.EndedAt,
			Expired: row.Late,
		}
	}
	return list, err
}

// Connect makes a kitchen screen with a name and returns the secret part of its link, which works once, within shop.ScreenLinkFor. Errors:
// shop.ErrMissing, shop.ErrRole, shop.ErrScreenName, shop.ErrScreens.
func (t *Team) Connect(ctx context.Context, by Person, code, name string) (secret.Text, error) {
	name, err := ScreenName(name)
	if err != nil {
		return secret.Text{}, err
	}
	link := rand.Text()
	return secret.New(link), t.change(ctx, by, code, func(tx pgx.Tx, _ Role) (Change, error) {
		queries := db.New(tx)
		n, err := queries.ScreenCount(ctx, code)
		if err == nil && n >= MostScreens {
			err = ErrScreens
		}
		if err != nil {
			return Change{}, err
		}
		err = queries.ScreenAdd(ctx, db.ScreenAddParams{
			ID: uuid.New(), ClientCode: code, Name: name, LinkHash: hash(link), WorksFor: ScreenLinkFor, MadeBy: by.ID,
		})
		return Change{Action: "kitchen screen connected", Detail: name}, err
	})
}

// Reconnect gives a kitchen screen a new link. The browser that opened the old one is disconnected. Errors: shop.ErrMissing, shop.ErrRole,
// shop.ErrNoScreen.
func (t *Team) Reconnect(ctx context.Context, by Person, code string, screen uuid.UUID) (name string, link secret.Text, err error) {
	token := rand.Text()
	err = t.change(ctx, by, code, func(tx pgx.Tx, _ Role) (Change, error) {
		name, err = db.New(tx).ScreenRelink(ctx, db.ScreenRelinkParams{
			LinkHash: hash(token), WorksFor: ScreenLinkFor, MadeBy: by.ID, ID: screen, ClientCode: code,
		})
		return Change{Action: "kitchen screen reconnected", Detail: name}, noScreen(err)
	})
	return name, secret.New(token), err
}

// EndScreen disconnects a kitchen screen for good. Errors: shop.ErrMissing, shop.ErrRole, shop.ErrNoScreen.
func (t *Team) EndScreen(ctx context.Context, by Person, code string, screen uuid.UUID) error {
	return t.change(ctx, by, code, func(tx pgx.Tx, _ Role) (Change, error) {
		name, err := db.New(tx).ScreenEnd(ctx, screen, code)
		return Change{Action: "kitchen screen ended", Detail: name}, noScreen(err)
	})
}

func noScreen(err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrNoScreen
	}
	return err
}

// FindScreen returns the names of the screen and the business that a link is for. Errors: shop.ErrScreenLink.
func (t *Team) FindScreen(ctx context.Context, link secret.Text) (name, business string, err error) {
	row, err := t.queries.ScreenFindLink(ctx, hash(link.Reveal()))
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrScreenLink
	}
	return row.Name, row.Business, err
}

// OpenScreen exchanges a link for the value of a cookie, once. It returns the code of the shop. Errors: shop.ErrScreenLink.
func (t *Team) OpenScreen(ctx context.Context, link secret.Text) (code string, cookie secret.Text, err error) {
	value := rand.Text()
	code, err = t.queries.ScreenOpen(ctx, hash(value), hash(link.Reveal()))
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrScreenLink
	}
	return code, secret.New(value), err
}

// EnterScreen returns the shop and the name of a kitchen screen by its cookie, and notes that it was seen. Errors: shop.ErrMissing, also
// for a screen of another shop; shop.ErrScreenEnded.
func (s *Shops) EnterScreen(ctx context.Context, code, cookie string) (one Shop, name string, err error) {
	row, err := s.queries.ScreenEnter(ctx, hash(cookie), code)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return one, "", ErrMissing
	case err != nil:
		return one, "", err
	case row.Ended:
		err = ErrScreenEnded
	}
	return FromRow(row.Client), row.Name, err
}
