package order

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// Line orders Qty (1 to MaxQty) of an item, which is named by its id or, if ID is 0, by its name. Empty Options and Note are left out of
// the JSON, so that such an order keeps the hash that it had before these fields existed.
type Line struct {
	ID      int64
	Name    string
	Qty     int
	Options []int64 `json:",omitzero"` // ids of choices; nil for those that the item's groups preset
	Note    string  `json:",omitzero"` // to the kitchen
}

// Request is an order as the caller sent it. Nothing in it decides a price or a mode.
type Request struct {
	Shop        string `json:"Client"` // its name in the hashes that are stored
	Lines       []Line
	Amount      *int64 // minor units the customer was shown, nil when not told
	Tip         int64  `json:",omitzero"` // minor units
	Name, Table string // at most MaxName characters each
	Description string
	Source      string
	TrxRef      string
	PushToken   string // key of a push registration, empty for none
	Key         string // Idempotency-Key, empty for none
	// From is the caller's address, by which the limit counts unpaid orders. The zero address is not limited.
	From netip.Addr `json:"-"`
	// Own are the orders that the caller's browser made before, as its cookie says. Nobody can guess an id.
	Own []string `json:"-"`
	// AnyHour lets a member of the team order what is closed, in test mode only.
	AnyHour bool `json:"-"`
}

func (r *Request) check() error {
	if !printable.Line(r.Shop, maxCode) || card.HoldsCard(r.Shop) {
		return fault.New(fault.NotFound, "no shop can have this code")
	}
	if len(r.Lines) == 0 {
		return ErrEmpty
	}
	if err := r.checkLines(); err != nil {
		return err
	}
	for _, text := range []struct {
		field string
		value *string
		most  int
	}{
		{"name", &r.Name, MaxName}, {"table", &r.Table, MaxName}, {"description", &r.Description, 1024}, {"source", &r.Source, 1024},
		{"trxRef", &r.TrxRef, 1024}, {"pushToken", &r.PushToken, 1024},
	} {
		switch typed.Tidy(text.value, text.most, text.field, "") {
		case "":
		case card.LeaveOut:
			return &CardNumberError{Field: text.field}
		default:
			return &FieldError{text.field, fmt.Sprintf("has to be at most %d characters", text.most)}
		}
	}
	if r.Tip < 0 || r.Tip > money.Max {
		return &FieldError{"tip", "has to be an amount of at most " + money.Wire(money.Max)}
	}
	if r.Key != "" && !ValidKey(r.Key) {
		return ErrKey
	}
	return nil
}

func (r *Request) checkLines() error {
	if len(r.Lines) > maxLines {
		return &FieldError{"order", fmt.Sprintf("has to be at most %d lines", maxLines)}
	}
	seen := map[string]bool{}
	for i, line := range r.Lines {
		at := fmt.Sprintf("order[%d]", i)
		options, wrong := line.Options, typed.Tidy(&r.Lines[i].Note, MaxNote, "note", "")
		line.Note = r.Lines[i].Note
		pick, ok := NewPick(1, options, "")
		item := line.key()
		switch {
		case line.Qty < 1 || line.Qty > MaxQty:
			return &FieldError{at + ".qty", fmt.Sprintf("has to be a whole number from 1 to %d", MaxQty)}
		case line.ID < 0:
			return &FieldError{at + ".id", "has to be the id of an item"}
		case line.ID == 0 && line.Name == "":
			return &FieldError{at, "has to name an item by id or name"}
		case card.HoldsCard(line.Name):
			return &FieldError{at + ".name", "has to be the name of an item"} // which the answer does not repeat
		case !printable.Line(line.Name, 200):
			return &FieldError{at + ".name", "has to be at most 200 printable characters"}
		case !ok || len(pick.Options()) < len(options):
			return &FieldError{at + ".options", fmt.Sprintf("has to be at most %d ids of choices, each once", maxPicked)}
		case wrong == card.LeaveOut:
			return &CardNumberError{Field: "note"}
		case wrong != "":
			return &FieldError{at + ".note", fmt.Sprintf("has to be at most %d characters", MaxNote)}
		case seen[item]:
			return repeated(i)
		}
		seen[item] = true
	}
	return nil
}

// key returns the item, its options and the note as one text, which no two lines of an order may share.
func (l Line) key() string {
	if l.ID != 0 {
		l.Name = "" // says nothing more
	}
	return fmt.Sprint(l.ID, l.Options == nil, slices.Sorted(slices.Values(l.Options)), strconv.Quote(l.Name), l.Note)
}

// repeated returns the error for a line that repeats an earlier one.
func repeated(line int) error {
	return &FieldError{fmt.Sprintf("order[%d]", line), "repeats the item of an earlier line; add up the quantities"}
}

// ValidKey reports whether s can be an idempotency key: 1 to 255 printable ASCII characters without a card number, because keys are stored.
func ValidKey(s string) bool {
	return s != "" && len(s) <= 255 && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) && !card.HoldsCard(s)
}

// priced returns what is stored of a request at the prices of a menu, or why it is refused.
func (r *Request) priced(menu *Menu) (db.TransactionCreateOrderParams, error) {
	bill := menu.Price(r.Lines, r.Tip)
	if err := r.refusal(menu, bill); err != nil {
		return db.TransactionCreateOrderParams{}, err
	}
	p := db.TransactionCreateOrderParams{
		ID: rand.Text(), ShopCode: r.Shop, AmountMinor: bill.Total, Description: r.Description, Source: r.Source,
		TrxRef: r.TrxRef, TableName: r.Table, CustomerName: r.Name, PushToken: r.PushToken, Key: r.Key,
		ContentHash: r.hash(), UnpaidFor: UnpaidFor,
		Revision: menu.read.Revision, Live: menu.Shop.Live, Currency: menu.Shop.Currency,
	}
	for i, line := range r.Lines {
		made := bill.Made[i]
		item, options := made.Item, made.Options
		p.ItemIds, p.Names, p.Prices = append(p.ItemIds, item.ID), append(p.Names, item.Name), append(p.Prices, made.PriceMinor)
		p.Kinds, p.Taxed = append(p.Kinds, string(state.LineItem)), append(p.Taxed, bill.taxed(i))
		p.Locs, p.Pictures, p.Notes = append(p.Locs, item.Loc), append(p.Pictures, item.Picture), append(p.Notes, line.Note)
		p.Qtys = append(p.Qtys, int32(line.Qty)) //nolint:gosec // checked: 1 to 99
		text, err := json.Marshal(append([]db.LineOption{}, options...))
		if err != nil {
			return p, err
		}
		p.Options = append(p.Options, string(text))
		for _, option := range options {
			p.ChoiceIds = append(p.ChoiceIds, option.ID)
		}
	}
	for _, extra := range bill.Extras {
		p.ItemIds, p.Names, p.Prices = append(p.ItemIds, 0), append(p.Names, extra.Name), append(p.Prices, extra.Amount)
		p.Kinds, p.Taxed = append(p.Kinds, string(extra.Kind)), append(p.Taxed, extra.taxed)
		p.Qtys, p.Options = append(p.Qtys, 1), append(p.Options, "[]")
		p.Locs, p.Pictures, p.Notes = append(p.Locs, ""), append(p.Pictures, ""), append(p.Notes, "")
	}
	taxed := sum(p.Taxed)
	p.TaxedMinor = &taxed
	return p, nil
}

// refusal says why a menu does not allow an order, of which it makes this bill.
func (r *Request) refusal(menu *Menu, bill Bill) error {
	total, missing := bill.Total, bill.Missing
	if err := repeats(r.Lines, bill.Made); err != nil {
		return err
	}
	_, seated := menu.Table(r.Table)
	switch {
	case !seated:
		return &TableError{r.Table}
	case menu.Paused && (missing == nil || len(missing.Closed) == 0):
		return ErrPaused
	case missing != nil:
		return missing
	case r.Tip != 0 && len(menu.Tips) == 0:
		return &FieldError{"tip", "has to be left out: this business takes no tips"}
	case total > money.Max:
		return &FieldError{"order", "costs more than can be paid at once, which is " + money.Wire(money.Max)}
	case bill.Items == 0:
		return ErrFree
	case r.Amount != nil && *r.Amount != total:
		return &AmountError{Amount: total, Currency: menu.Shop.Currency}
	}
	return nil
}

// repeats returns an error if two lines are for the same item with the same options. A line may name its item by id or by name, and may
// list the preset options or leave them out.
func repeats(lines []Line, made []Made) error {
	seen := map[string]bool{}
	for i, line := range lines {
		item := made[i].Item
		if item == nil {
			continue
		}
		if line.ID = item.ID; line.Options == nil {
			line.Options = append([]int64{}, item.Preset()...)
		}
		if seen[line.key()] {
			return repeated(i)
		}
		seen[line.key()] = true
	}
	return nil
}

// hash returns a hash that two requests share if they are the same order. It leaves out the push token, which a browser may get between two
// tries.
func (r *Request) hash() []byte {
	content := *r
	content.Key, content.PushToken = "", ""
	content.Lines = slices.SortedFunc(slices.Values(r.Lines), func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name), slices.Compare(a.Options, b.Options), cmp.Compare(a.Note, b.Note))
	})
	text, err := json.Marshal(content)
	if err != nil {
		panic(err) // strings and numbers only
	}
	sum := sha256.Sum256(text)
	return sum[:]
}
