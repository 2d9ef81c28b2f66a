package main

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// Two transactions. Only the payer of the first leaves an address.
const (
	paidTrx     = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
	declinedTrx = "BBBBBBBBBBBBBBBBBBBBBBBBBB"
)

func mailed() (books, []letter) {
	payer := mailboxOf(paidTrx)
	return books{
			transactions: []transaction{{ID: paidTrx, Approved: "a1"}, {ID: declinedTrx}},
			refunds:      []refund{{ID: "r1", TrxID: paidTrx, State: "done"}, {ID: "r2", TrxID: paidTrx, State: "declined"}},
			receipts:     []receipt{{paidTrx, "shop@chaos.test"}},
		}, []letter{
			{id: "1", to: "shop@chaos.test", mentions: []string{paidTrx, "TOKENTOKENTOKENTOKENTOKENT"}},
			{id: "2", to: payer, mentions: []string{paidTrx}},
			{id: "3", to: payer, kind: aRefund, mentions: []string{paidTrx}},
			{id: "2", to: payer, mentions: []string{paidTrx}}, // again
		}
}

func TestWhatBreaksAPromiseAboutLetters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*books, *[]letter)
		broken []string
	}{
		{"nothing", func(*books, *[]letter) {}, nil},
		{"a business without its receipt", func(_ *books, l *[]letter) { *l = (*l)[1:] }, []string{"receipts"}},
		{"a payer without a receipt", func(_ *books, l *[]letter) { *l = slices.Delete((*l)[:3], 1, 2) }, []string{"receipts"}},
		{"a duplicate under another Message-ID", func(_ *books, l *[]letter) { (*l)[3].id = "4" }, []string{"receipts"}},
		{"a payment without a receipt", func(b *books, l *[]letter) { b.receipts, *l = nil, nil }, []string{"receipts"}},
		{"a payer who gets no letter about a refund", func(_ *books, l *[]letter) { *l = slices.Delete(*l, 2, 3) }, []string{"refund mails"}},
		{"a letter about a refund that was declined", func(_ *books, l *[]letter) {
			*l = append(*l, letter{id: "5", to: mailboxOf(paidTrx), kind: aRefund, mentions: []string{paidTrx}})
		}, []string{"refund mails"}},
		{"a business that gets no letter about the end of a dispute", func(b *books, l *[]letter) {
			b.disputes = []dispute{{paidTrx, "lost"}}
			*l = append(*l, letter{id: "6", to: "shop@chaos.test", kind: aDispute, mentions: []string{paidTrx}})
		}, []string{"dispute mails"}},
		{"a business that gets a letter at both ends of a dispute", func(b *books, l *[]letter) {
			b.disputes = []dispute{{paidTrx, "lost"}}
			for _, id := range []string{"6", "7"} {
				*l = append(*l, letter{id: id, to: "shop@chaos.test", kind: aDispute, mentions: []string{paidTrx}})
			}
		}, nil},
		{"nothing of a payment in test mode", func(b *books, l *[]letter) { b.transactions[0].Test, *l = true, nil }, nil},
		{"a receipt for something that was not paid", func(_ *books, l *[]letter) {
			*l = append(*l, letter{id: "5", to: "shop@chaos.test", mentions: []string{declinedTrx}})
		}, []string{"strays"}},
		{"a receipt to somebody else", func(_ *books, l *[]letter) {
			*l = append(*l, letter{id: "5", to: "other@chaos.test", mentions: []string{paidTrx}})
		}, []string{"strays"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, letters := mailed()
			tt.change(&b, &letters)
			if broken := report(io.Discard, judgeLetters(b, letters)); !slices.Equal(broken, tt.broken) {
				t.Errorf("broken: %q, want %q", broken, tt.broken)
			}
		})
	}
}

func TestLettersAreParsedAsTheyArrive(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(`Message-ID: <one@chaos.test>
Subject: Refund of $1.00 from Panezski
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: quoted-printable

Reference: AAAAAAAAAAAAA=
AAAAAAAAAAAAA
--b
Content-Type: text/html

<p>BBBBBBBBBBBBBBBBBBBBBBBBBB</p>
--b--
`, "\n", "\r\n")
	l, err := parseLetter([]byte(text))
	if err != nil || l.id != "<one@chaos.test>" || l.kind != aRefund || !slices.Equal(l.mentions, []string{paidTrx}) {
		t.Errorf("%+v, %v", l, err)
	}
	if mailboxOf(paidTrx) == "" || mailboxOf(declinedTrx) != "" || mailboxOf("") != "" {
		t.Error("not exactly the payer of the first transaction leaves an address")
	}
}
