package books

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"forecourt/db/state"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
)

// ErrUnreadable means that a text or a file is not a complete closing.
var ErrUnreadable = fault.New(fault.Invalid, "not a closing")

// ClosingTitle is the first line of the text of a closing.
const ClosingTitle = "Forecourt closing 1"

// noMethod stands for the method of fees.
const noMethod = "-"

// maxTotals is far more than a closing has.
const maxTotals = 100

// Text returns the text of a closing, which is what is signed. Each value is on its own line.
func (c Closing) Text() string { return c.file().text() }

// ReadClosing reads exactly what Text writes. Errors: ErrUnreadable.
func ReadClosing(text string) (Closing, error) {
	var c Closing
	title, rest, _ := strings.Cut(text, "\n")
	values := map[string]string{}
	for rest != "" && len(c.Totals) < maxTotals {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		name, value, _ := strings.Cut(line, ": ")
		if name == "total" {
			c.Totals = append(c.Totals, readTotal(value))
			continue
		}
		values[name] = value
	}
	c.Business, c.Abn, c.TestMode = values["business"], values["abn"], values["mode"] == "test"
	if c.Abn == "none" {
		c.Abn = ""
	}
	c.Series = values["series"]
	number, _ := strconv.ParseInt(values["number"], 10, 32)
	c.No = int32(number)
	c.Day.Time, _ = time.Parse(time.DateOnly, values["day"])
	c.Since, _ = time.Parse(time.RFC3339Nano, values["since"])
	c.UntilAt, _ = time.Parse(time.RFC3339Nano, values["until"])
	c.TimeZone = clock.Zone(values["zone"]).String()
	clock.Local(clock.Zone(c.TimeZone), &c.Since, &c.UntilAt)
	if title != ClosingTitle || c.No < 1 || c.Text() != text {
		return Closing{}, ErrUnreadable
	}
	return c, nil
}

// readTotal reads a line of totals. A value that it cannot read is zero, so that the text differs.
func readTotal(value string) (t Total) {
	part := append(strings.Fields(value), make([]string, 13)...)
	amount := func(text string) int64 {
		minor, _ := money.ParseTotal(text)
		return minor
	}
	if t.Currency = part[0]; part[1] != noMethod {
		t.Method = state.Method(part[1])
	}
	t.Payments, _ = strconv.Atoi(part[2])
	t.Refunds, _ = strconv.Atoi(part[5])
	t.Taken, t.GST, t.Refunded, t.RefundGST = amount(part[3]), amount(part[4]), amount(part[6]), amount(part[7])
	t.Lost, _ = strconv.Atoi(part[8])
	t.Won, _ = strconv.Atoi(part[10])
	t.BankTook, t.BankGave, t.Fees = amount(part[9]), amount(part[11]), amount(part[12])
	return t
}

// file is a closing in words, as its text and its JSON have it. Amounts are in major units.
type file struct {
	Format    string      `json:"format"`
	Business  string      `json:"business"`
	ABN       string      `json:"abn,omitempty"`
	Number    int         `json:"number"`
	Series    string      `json:"series,omitempty"`
	Day       string      `json:"day"`
	Since     string      `json:"since"`
	Until     string      `json:"until"`
	Zone      string      `json:"zone"`
	Mode      string      `json:"mode"`
	Totals    []fileTotal `json:"totals"`
	Signature string      `json:"signature"` // of the text, base64url
}

type fileTotal struct {
	Currency  string       `json:"currency"`
	Method    state.Method `json:"method"`
	Payments  int          `json:"payments"`
	Taken     string       `json:"taken"`
	GST       string       `json:"gst"`
	Refunds   int          `json:"refunds"`
	Refunded  string       `json:"givenBack"`
	RefundGST string       `json:"refundGst"`
	Beside    *fileBeside  `json:"beside,omitempty"`
}

// fileBeside is what moved beside payments and refunds.
type fileBeside struct {
	Lost     int    `json:"lost"`
	BankTook string `json:"bankTook"`
	Won      int    `json:"won"`
	BankGave string `json:"bankGave"`
	Fees     string `json:"fees"`
}

func (c Closing) file() file {
	f := file{
		Format: ClosingTitle, Business: typed.OneLine(c.Business, 100), ABN: typed.OneLine(c.Abn, 100),
		Number: int(c.No), Series: typed.OneLine(c.Series, 100), Day: c.Day.Time.Format(time.DateOnly),
		Since: c.Since.UTC().Format(time.RFC3339Nano), Until: c.UntilAt.UTC().Format(time.RFC3339Nano),
		Zone: clock.Zone(c.TimeZone).String(), Mode: mode(c.TestMode), Totals: []fileTotal{},
		Signature: base64.RawURLEncoding.EncodeToString(c.Signature),
	}
	for _, t := range c.Totals {
		total := fileTotal{
			t.Currency, cmp.Or(t.Method, noMethod), t.Payments, money.Wire(t.Taken), money.Wire(t.GST),
			t.Refunds, money.Wire(t.Refunded), money.Wire(t.RefundGST), nil,
		}
		if t.beside() {
			total.Beside = &fileBeside{t.Lost, money.Wire(t.BankTook), t.Won, money.Wire(t.BankGave), money.Wire(t.Fees)}
		}
		f.Totals = append(f.Totals, total)
	}
	return f
}

func (f file) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nbusiness: %s\nabn: %s\nnumber: %d\n", f.Format, f.Business, cmp.Or(f.ABN, "none"), f.Number)
	if f.Series != "" {
		fmt.Fprintf(&b, "series: %s\n", f.Series)
	}
	fmt.Fprintf(&b, "day: %s\nsince: %s\nuntil: %s\nzone: %s\nmode: %s\n", f.Day, f.Since, f.Until, f.Zone, f.Mode)
	for _, t := range f.Totals {
		fmt.Fprintf(&b, "total: %s %s %d %s %s %d %s %s", t.Currency, t.Method, t.Payments, t.Taken, t.GST, t.Refunds, t.Refunded, t.RefundGST)
		if d := t.Beside; d != nil {
			fmt.Fprintf(&b, " %d %s %d %s %s", d.Lost, d.BankTook, d.Won, d.BankGave, d.Fees)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// JSON returns a closing as a file.
func (c Closing) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(c.file(), "", "  ")
	return append(text, '\n'), err
}

// ReadClosingFile reads what JSON wrote, with any indentation. It does not check the signature. Errors: ErrUnreadable.
func ReadClosingFile(content []byte) (Closing, error) {
	f := file{}
	if err := json.Unmarshal(content, &f); err != nil {
		return Closing{}, ErrUnreadable
	}
	c, err := ReadClosing(f.text())
	if err != nil {
		return c, err
	}
	c.Signature, err = base64.RawURLEncoding.Strict().DecodeString(f.Signature)
	if err != nil {
		return Closing{}, ErrUnreadable
	}
	written, err := c.JSON()
	if err != nil || !sameTokens(content, written) {
		return Closing{}, ErrUnreadable
	}
	return c, nil
}

// sameTokens reports whether two JSON texts have the same names and values in the same order, however these are spaced and escaped. A name
// that is not signed, or is there twice, makes a difference: readers disagree on which of the two values counts.
func sameTokens(a, b []byte) bool {
	one, other := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	for {
		token, err := one.Token()
		want, wrong := other.Token()
		if token != want || err != nil || wrong != nil {
			return errors.Is(err, io.EOF) && errors.Is(wrong, io.EOF)
		}
	}
}

func mode(test bool) string {
	if test {
		return "test"
	}
	return "live"
}
