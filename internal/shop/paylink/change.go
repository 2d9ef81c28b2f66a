package paylink

import (
	"context"
	"crypto/rand"
	"errors"
	"regexp"
	"strconv"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/money"
	"forecourt/internal/shop/shop"
)

// formID is an id that a form may give its link.
var formID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// Make makes a pay link and returns its id. The link takes the id of its form, so posting a form twice makes one link; made is false the
// second time. Errors: paylink.Problems, shop.ErrMissing, shop.ErrRole.
func (l *Links) Make(ctx context.Context, by shop.Person, one shop.Shop, link Wanted) (id string, made bool, err error) {
	link.Client = one.Code
	if !formID.MatchString(link.ID) {
		link.ID = rand.Text()
	}
	err = l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		if _, err := find(ctx, db.New(tx), one, link.ID); !errors.Is(err, ErrMissing) {
			return shop.Change{}, err
		}
		links, err := Create(ctx, tx, []Wanted{link})
		if err != nil {
			return shop.Change{}, err
		}
		made = true
		return shop.Change{Action: "pay link made", Detail: link.ID + " " + money.Label(links[0].Amount, links[0].Currency)}, nil
	})
	if db.IsTaken(err) { // the form was posted twice at once
		made = false
		_, err = l.Find(ctx, one, link.ID)
	}
	return link.ID, made && err == nil, err
}

// MakeMany makes a pay link for each row, or none. Calling it again with the same
// key and rows returns the same batch. Errors: those of batch.Batches.Create, shop.ErrMissing, shop.ErrRole.
func (l *Links) MakeMany(ctx context.Context, by shop.Person, one shop.Shop, key string, rows []Row) (id string, err error) {
	err = l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		made, again, err := l.batches.CreateIn(ctx, tx, one.Code, key, rows)
		if err != nil {
			return shop.Change{}, err
		}
		id = made.ID
		if again {
			return shop.Change{}, nil
		}
		return shop.Change{Action: "pay links made", Detail: made.ID + " " + strconv.Itoa(len(made.Rows)) + " links"}, nil
	})
	return id, err
}

// End ends a pay link: nobody can pay it any more. Ending it again does nothing. Errors: ErrMissing, ErrDone if it was paid, is
// being paid or has expired, shop.ErrMissing, shop.ErrRole.
func (l *Links) End(ctx context.Context, by shop.Person, one shop.Shop, id string) error {
	return l.shops.Change(ctx, by, one.Code, shop.Edit, func(tx pgx.Tx) (shop.Change, error) {
		queries := db.New(tx)
		n, err := queries.PaylinkEnd(ctx, id, one.Code)
		if err != nil || n > 0 {
			return shop.Change{Action: "pay link ended", Detail: id}, err
		}
		found, err := find(ctx, queries, one, id)
		if err == nil && found.State != LinkEnded {
			err = ErrDone
		}
		return shop.Change{}, err
	})
}
