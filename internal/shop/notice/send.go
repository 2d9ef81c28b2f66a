package notice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/push"
	"forecourt/internal/shop/shop"
)

// Letter tells a person about events; its data is LetterData.
const Letter = "notice"

// LetterData is what Letter needs.
type LetterData struct {
	Shop         string    `json:"client"`
	Account      uuid.UUID `json:"account"`
	Kind         Kind      `json:"kind"`
	After, Until int64     // the numbers of the events
	Test         bool      `json:"test"`
	Count        int       `json:"count"`
}

// Send queues the letters and messages that are due at a moment. A team hears about the first event of a kind at once, and about those of
// the next notice.Pause in one letter after it, so that a hundred failed refunds make a handful of letters.
func (n *Notices) Send(ctx context.Context, now time.Time) error {
	for {
		more, err := n.sendOne(ctx, now)
		if err != nil || !more {
			return err
		}
	}
}

func (n *Notices) sendOne(ctx context.Context, now time.Time) (found bool, err error) {
	err = pgx.BeginFunc(ctx, n.pool, func(tx pgx.Tx) error {
		queries := n.queries.WithTx(tx)
		due, err := queries.NoticeDueTake(ctx, now)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		found = true
		kind := Kind(due.Kind)
		sum, err := queries.NoticeEventSum(ctx, due.AfterNumber, kind.Events(), due.ShopCode)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) { // no row: the business is gone
			return err
		}
		if sum.Events > 0 {
			letter := LetterData{
				Shop: due.ShopCode, Kind: kind, After: due.AfterNumber, Until: sum.LastNumber, Test: sum.TestMode, Count: int(sum.Events),
			}
			note := push.Note{
				Shop: due.ShopCode, Kind: due.Kind, Event: sum.Kind, Count: int(sum.Events),
				Amount: sum.AmountMinor, Currency: strings.TrimSpace(sum.Currency), Test: sum.TestMode,
			}
			err := n.queueNotice(ctx, tx, note, func(account uuid.UUID) mail.Request {
				letter.Account = account
				return mail.Request{Kind: Letter, Key: fmt.Sprintf("notice/%s/%s/%d/%s", letter.Shop, kind, letter.Until, account), Data: letter}
			})
			if err != nil {
				return err
			}
		}
		return queries.NoticeDueTold(ctx, db.NoticeDueToldParams{
			ShopCode: due.ShopCode, Kind: due.Kind, UntilNumber: max(sum.LastNumber, due.AfterNumber), Now: now,
		})
	})
	return found && err == nil, err
}

// queueNotice queues the messages, and the letters that letter writes, for everybody who wants them.
func (n *Notices) queueNotice(ctx context.Context, tx pgx.Tx, note push.Note, letter func(account uuid.UUID) mail.Request) error {
	queries, kind := n.queries.WithTx(tx), Kind(note.Kind)
	members, err := queries.NoticeMemberList(ctx, note.Kind, note.Shop)
	if err != nil {
		return err
	}
	for _, m := range members {
		choice := Default(shop.Role(m.Role), kind)
		if m.Mail != nil && m.Push != nil {
			choice = Choice{Mail: *m.Mail, Push: *m.Push}
		}
		// The business's own address gets settlement.LetterDispute in any case.
		if choice.Mail && m.Verified && (kind != Dispute || !m.IsBusiness) {
			if err := n.mail.Add(ctx, tx, letter(m.ID)); err != nil {
				return err
			}
		}
		if !choice.Push || n.push == nil {
			continue
		}
		browsers, err := queries.NoticeBrowserList(ctx, m.ID)
		if err != nil {
			return err
		}
		for _, browser := range browsers {
			if err := n.push.QueueNote(ctx, tx, m.ID, browser, note); err != nil {
				return err
			}
		}
	}
	return nil
}
