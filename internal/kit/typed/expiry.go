package typed

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"forecourt/internal/kit/card"
)

// Expiry is the month up to which a card is valid, in the years 2000 to 2099. The zero value means no month and is always past.
type Expiry struct {
	year  int
	month time.Month
}

var (
	monthFirst = regexp.MustCompile(`^(?:(\d{1,2})\s*[-/\s.]\s*|(\d{2}))(?:20)?(\d{2})$`)
	// yearFirst matches what browsers send for a month field.
	yearFirst = regexp.MustCompile(`^20(\d{2})\s*[-/.]\s*(\d{1,2})$`)
)

// ParseExpiry reads "12/30", "1230", "12/2030", "12 / 30", "1/30", "12-30", "2030-12" and "exp 12/30". Errors: card.Missing, card.BadText.
func ParseExpiry(text string) (Expiry, error) {
	if text = bare(text); text == "" {
		return Expiry{}, card.Missing
	}
	parts := monthFirst.FindStringSubmatch(yearFirst.ReplaceAllString(text, "$2/$1"))
	if parts == nil {
		return Expiry{}, card.BadText
	}
	// The patterns let only short runs of ASCII digits through.
	month, _ := strconv.Atoi(parts[1] + parts[2])
	year, _ := strconv.Atoi(parts[3])
	if month < 1 || month > 12 {
		return Expiry{}, card.BadText
	}
	return Expiry{year: 2000 + year, month: time.Month(month)}, nil
}

// IsZero reports whether there is no expiry.
func (e Expiry) IsZero() bool { return e == Expiry{} }

// String returns "MM/YY", as the gateway reads it; "" of the zero value.
func (e Expiry) String() string {
	if e.IsZero() {
		return ""
	}
	return fmt.Sprintf("%02d/%02d", int(e.month), e.year%100)
}

// Past reports whether the card's last month is over everywhere on earth. It allows a whole day for that, although half a day would
// do for the last time zone: the issuer has the last word anyway.
func (e Expiry) Past(now time.Time) bool {
	end := time.Date(e.year, e.month+1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 1)
	return e.IsZero() || !now.Before(end)
}
