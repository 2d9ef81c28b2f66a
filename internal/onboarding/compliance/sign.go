package compliance

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/kit/typeface"
	"forecourt/internal/run/mail"
	"forecourt/internal/shop/shop"
	"forecourt/internal/site/legal"
)

// ErrOtherText means that the text changed while the signer was reading it, so the signature is for the older one.
var ErrOtherText = fault.New(fault.Conflict, "the agreement changed while it was read")

// Mandate is the account that may be debited, as typed: a BSB may have a hyphen, a number spaces.
type Mandate struct {
	Name   string `json:"name"`
	BSB    string `json:"bsb"`
	Number string `json:"number"`
}

// Signing is what a merchant sends to sign.
type Signing struct {
	Mandate
	Acknowledged bool
	TextHash     string // of the text that was read, in hexadecimal
	Address      string // the request's address
}

// Signature is a signed agreement. The account is masked.
type Signature struct {
	ID       string  // of the compliance record
	Account  Mandate // only the ends of BSB and number are readable
	Signer   string
	Address  string
	At       time.Time // by the clock of the business
	Version  string
	TextHash string // in hexadecimal
	document string
}

// Check returns what is wrong with it, by the fields name, bsb, number and acknowledged.
func (g *Signing) Check() fault.Problems {
	g.tidy()
	c := g.check()
	if !g.Acknowledged {
		c.add("acknowledged", "Please tick the box to acknowledge")
	}
	return fault.Problems(c)
}

func (m *Mandate) tidy() {
	m.BSB, m.Number = typed.Digits(m.BSB), typed.Digits(m.Number)
	m.Name = typed.Line(m.Name)
}

// check returns what is wrong with a tidy account.
func (m *Mandate) check() checker {
	c := checker{}
	c.text("name", m.Name, 64, "Enter the name of the account", "Use at most 64 characters for the name of the account")
	switch {
	case m.BSB == "":
		c.add("bsb", "Enter the BSB")
	case !digits(m.BSB, 6, 6):
		c.add("bsb", "A BSB has 6 digits, such as 062-000")
	}
	switch {
	case m.Number == "":
		c.add("number", "Enter the account number")
	case !digits(m.Number, 5, 9) || strings.Trim(m.Number, "0") == "":
		c.add("number", "An account number has 5 to 9 digits")
	}
	return c
}

// masked hides all but the last digits.
func (m Mandate) masked() Mandate {
	m.BSB = "•••-•" + m.BSB[len(m.BSB)-2:]
	m.Number = strings.Repeat("•", utf8.RuneCountInString(m.Number)-3) + m.Number[len(m.Number)-3:]
	return m
}

// Shown returns the BSB, and the account number of which only the end is readable: "062-000 •••••678".
func (m Mandate) Shown() string { return m.BSB[:3] + "-" + m.BSB[3:] + " " + m.masked().Number }

// Sign signs the agreements of a record, once: signing again changes nothing. Errors: fault.Problems, ErrMissing, ErrOtherText.
func (s *Records) Sign(ctx context.Context, owner shop.Person, id string, g Signing) error {
	if err := g.Check().Err(); err != nil {
		return err
	}
	record, err := s.Open(ctx, owner, id)
	if err != nil {
		return err
	}
	text, err := s.Agreement(ctx, record)
	if err != nil {
		return err
	}
	if g.TextHash != hex.EncodeToString(text.Hash[:]) {
		return ErrOtherText
	}
	mandate, err := json.Marshal(g.Mandate)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if err := queries.ComplianceTextPut(ctx, text.Hash[:], text.Version, text.stored); err != nil {
			return err
		}
		done, err := queries.ComplianceAgreementSign(ctx, db.ComplianceAgreementSignParams{
			TextHash: text.Hash[:], Sealed: s.box.Seal(mandate, mandatePlace(id)), Signer: owner.Email, Address: g.Address,
			ComplianceID: id, AccountID: owner.ID,
		})
		if err != nil || done == 0 {
			return err
		}
		err = queries.AuditAdd(ctx, db.AuditAddParams{Actor: owner.Email, Action: "agreement signed", Subject: "compliance " + id})
		return errors.Join(err, s.mail.Add(ctx, tx, mail.Request{
			Kind: LetterSigned, Key: LetterSigned + "/" + id, Data: Letter{ID: id, To: owner.Email},
		}))
	})
}

func mandatePlace(id string) string { return "compliance " + id + "/mandate" }

// open reads a sealed account.
func (s *Records) open(sealed []byte, place string) (m Mandate, err error) {
	text, err := s.box.Open(sealed, place)
	if err == nil && json.Unmarshal(text, &m) != nil {
		err = errors.New("a sealed account does not parse") // the parser quotes what it reads
	}
	return m, err
}

// Agreed returns the account that the agreement of a record allows to debit. Errors: ErrMissing.
func (s *Records) Agreed(ctx context.Context, id string) (Mandate, error) {
	row, err := s.queries.ComplianceAgreementGet(ctx, id)
	if err != nil {
		return Mandate{}, missing(err)
	}
	return s.open(row.Sealed, mandatePlace(id))
}

// signature returns how a record was signed, or nil if it was not.
func (s *Records) signature(ctx context.Context, queries *db.Queries, id string) (*Signature, error) {
	row, err := queries.ComplianceAgreementGet(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // not signed is not an error
	}
	if err != nil {
		return nil, err
	}
	m, err := s.open(row.Sealed, mandatePlace(id))
	if err != nil {
		return nil, err
	}
	return &Signature{
		ID: id, Account: m.masked(), Signer: row.Signer, Address: row.Address, At: row.SignedAt.In(zoneOf(row.TimeZone)), Version: row.Version,
		TextHash: hex.EncodeToString(row.TextHash), document: row.Document,
	}, nil
}

// zoneOf returns the zone of a record's shop; name is empty for a record without one.
func zoneOf(name string) *time.Location { return clock.Zone(cmp.Or(name, clock.Home)) }

// Copy draws the agreements as they were signed, with the signature below it, as a PDF.
func (s *Records) Copy(g *Signature) ([]byte, error) {
	var t Texts
	if err := json.Unmarshal([]byte(g.document), &t); err != nil {
		return nil, err
	}
	d, acknowledged, title := t.Document, "this agreement", "Direct Debit Request: account and signature"
	if t.Merchant.Title != "" {
		d.Title += ", and " + t.Merchant.Title
		d.Sections = append(d.Sections, legal.Section{ID: "merchant", Title: t.Merchant.Title, Blocks: []legal.Block{{Text: t.Merchant.Summary}}})
		d.Sections = append(d.Sections, t.Merchant.Sections...)
		acknowledged, title = "both agreements", "Account to debit, and signature of both agreements"
	}
	blocks := []legal.Block{
		{Facts: []legal.Fact{
			{Name: "Account name", Value: g.Account.Name}, {Name: "BSB", Value: g.Account.BSB}, {Name: "Account number", Value: g.Account.Number},
			{Name: "Signed by", Value: g.Signer}, {Name: "Signed at", Value: clock.Exact(g.At, g.At.Location())},
			{Name: "Signed from", Value: g.Address}, {Name: "Version", Value: g.Version},
		}},
		{Text: "The signer ticked that they have read and acknowledge " + acknowledged + ". SHA-256 of the text: " + g.TextHash},
	}
	if !typeface.Whole(g.Account.Name, g.Signer) {
		blocks = append(blocks, legal.Block{Text: typeface.Missing + " The agreement's reference is " + g.ID + "."})
	}
	d.Sections = append(d.Sections, legal.Section{ID: "signature", Title: title, Blocks: blocks})
	return legal.PDF(d, s.provider)
}
