package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// remains is what a death of the mailer left behind.
type remains struct {
	books   books
	letters []letter
}

// remains reads both books and the letters after a death of the mailer, and reports whether it died where it should.
func (w *world) remains(ctx context.Context, point crashPoint, trx string) (remains, error) {
	b, err := w.readBooks(ctx, time.Second)
	if err != nil {
		return remains{}, err
	}
	left := remains{b, w.mail.letters()}
	about := func(l letter) bool { return slices.Contains(l.mentions, trx) }
	if slices.ContainsFunc(left.letters, about) != point.taken {
		return left, fmt.Errorf("that the mail server has a letter about this payment should be %t", point.taken)
	}
	return left, nil
}

// deliver waits until the letters that the death interrupted are sent, and compares all that arrived with all that was paid.
func (w *world) deliver(ctx context.Context, point crashPoint, left remains) (string, error) {
	if err := w.awaitLetters(ctx, patience); err != nil {
		return "", err
	}
	b, err := w.readBooks(ctx, time.Second)
	if err != nil {
		return "", err
	}
	if !reflect.DeepEqual(b, left.books) {
		return "", errors.New("a payment changed while its letters were sent")
	}
	letters := w.mail.letters()
	for _, p := range judgeLetters(b, letters) {
		if p.broken > 0 {
			return "", fmt.Errorf("%d %s", p.broken, p.detail)
		}
	}
	fresh, again := letters[len(left.letters):], 0
	for _, l := range fresh {
		again += count(slices.ContainsFunc(left.letters, func(before letter) bool { return before.id == l.id }))
	}
	if point.taken && again == 0 {
		return "", errors.New("no letter came again: the program did not die before it wrote down that one was sent")
	}
	return fmt.Sprintf(", %d letters came after it, %d of them again under their Message-ID", len(fresh), again), nil
}
