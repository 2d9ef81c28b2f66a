package shop

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

// The limits of a shop's kitchen screens.
const (
	MostScreens    = 20 // kitchen screens at a time
	MostScreenName = 40 // characters of a kitchen screen's name

	ScreenLinkFor  = 24 * time.Hour      // how long a link works that connects a kitchen screen
	ScreenShownFor = 30 * 24 * time.Hour // how long one that ended stays on the list
)

// Reasons to refuse a kitchen screen.
var (
	// ErrScreens means that the shop has reached its limit of screens.
	ErrScreens = fault.New(fault.Conflict, "A business can have %d kitchen screens. Disconnect one that you no longer use.", MostScreens)
	// ErrScreenLink means that a screen's link was opened before, is too old, was ended or never existed.
	ErrScreenLink = fault.New(fault.Gone, "no such link of a kitchen screen")
	// ErrScreenEnded means that the team ended the screen that sent the request.
	ErrScreenEnded = fault.New(fault.Forbidden, "the kitchen screen was ended")
	// ErrNoScreen means that the shop has no such screen, or that it was ended.
	ErrNoScreen = fault.New(fault.NotFound, "no such kitchen screen")
)

// Screens lists the kitchen screens of a shop: those that work, then those that ended within ScreenShownFor.
func (s *Shops) Screens(ctx context.Context, code string) ([]Screen, error) {
	return s.queries.ScreenList(ctx, code, ScreenShownFor)
}

// Connect makes a kitchen screen with a name and returns the secret part of its link, which works once, within ScreenLinkFor. Errors:
// account.ErrUnproved, ErrMissing, ErrRole, fault.Problems of the name, ErrScreens.
func (s *Shops) Connect(ctx context.Context, by Person, code, name string) (secret.Text, error) {
	if err := by.Proof.Check(); err != nil {
		return secret.Text{}, err
	}
	problems := fault.Problems{}
	problems.Note("name", typed.Tidy(&name, MostScreenName, "name", "Give the screen a name, such as “Tablet at the grill”."))
	if len(problems) > 0 {
		return secret.Text{}, problems
	}
	link := rand.Text()
	return secret.New(link), s.change(ctx, by, code, func(tx pgx.Tx, _ Role) (Change, error) {
		queries := db.New(tx)
		n, err := queries.ScreenCount(ctx, code)
		if err == nil && n >= MostScreens {
			err = ErrScreens
		}
		if err != nil {
			return Change{}, err
		}
		err = queries.ScreenAdd(ctx, db.ScreenAddParams{
			ID: uuid.New(), ShopCode: code, Name: name, LinkHash: hash(link), WorksFor: ScreenLinkFor, MadeBy: by.ID,
		})
		return Change{Action: "kitchen screen connected", Detail: name}, err
	})
}

// Reconnect gives a kitchen screen a new link. The browser that opened the old one is disconnected. Errors: account.ErrUnproved,
// ErrMissing, ErrRole, ErrNoScreen.
func (s *Shops) Reconnect(ctx context.Context, by Person, code string, screen uuid.UUID) (name string, link secret.Text, err error) {
	if err := by.Proof.Check(); err != nil {
		return "", link, err
	}
	token := rand.Text()
	err = s.change(ctx, by, code, func(tx pgx.Tx, _ Role) (Change, error) {
		name, err = db.New(tx).ScreenRelink(ctx, db.ScreenRelinkParams{
			LinkHash: hash(token), WorksFor: ScreenLinkFor, MadeBy: by.ID, ID: screen, ShopCode: code,
		})
		return Change{Action: "kitchen screen reconnected", Detail: name}, none(err, ErrNoScreen)
	})
	return name, secret.New(token), err
}

// EndScreen disconnects a kitchen screen for good. Errors: ErrMissing, ErrRole, ErrNoScreen.
func (s *Shops) EndScreen(ctx context.Context, by Person, code string, screen uuid.UUID) error {
	return s.change(ctx, by, code, func(tx pgx.Tx, _ Role) (Change, error) {
		name, err := db.New(tx).ScreenEnd(ctx, screen, code)
		return Change{Action: "kitchen screen ended", Detail: name}, none(err, ErrNoScreen)
	})
}

// FindScreen returns the names of the screen and the business that a link is for. Errors: ErrScreenLink.
func (s *Shops) FindScreen(ctx context.Context, link secret.Text) (name, business string, err error) {
	row, err := s.queries.ScreenFindLink(ctx, hash(link.Reveal()))
	return row.Name, row.Business, none(err, ErrScreenLink)
}

// OpenScreen exchanges a link for the value of a cookie, once. It returns the code of the shop. Errors: ErrScreenLink.
func (s *Shops) OpenScreen(ctx context.Context, link secret.Text) (code string, cookie secret.Text, err error) {
	value := rand.Text()
	code, err = s.queries.ScreenOpen(ctx, hash(value), hash(link.Reveal()))
	return code, secret.New(value), none(err, ErrScreenLink)
}

// EnterScreen returns the shop of a kitchen screen by its cookie, and notes that it was seen. Errors: ErrMissing, also
// for a screen of another shop; ErrScreenEnded.
func (s *Shops) EnterScreen(ctx context.Context, code, cookie string) (Shop, error) {
	row, err := s.queries.ScreenEnter(ctx, hash(cookie), code)
	if err == nil && row.Ended {
		err = ErrScreenEnded
	}
	return Shop{Shop: row.Shop}, none(err, ErrMissing)
}
