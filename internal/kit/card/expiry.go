package card

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Expiry is the month up to which a card is valid, in the years 2000 to 2099. The zero value means no month and is always past.
type Expiry struct {
	year  int
	month time.Month
}

var (
	monthYear = regexp.MustCompile(`^(\d{1,2})\s*[/\s-]\s*(\d{2}|20\d{2})$`)
	bare      = regexp.MustCompile(`^(\d{2})(\d{2}|20\d{2})$`)
	// yearMonth matches what browsers send for a month field.
	yearMonth = regexp.MustCompile(`^(20\d{2})\s*[/-]\s*(\d{1,2})$`)
)

// ParseExpiry reads "12/30", "1230", "12/2030", "12 / 30", "1/30", "12-30" and "2030-12". Errors: Missing, BadText.
func ParseExpiry(s string) (Expiry, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return Expiry{}, Missing
	}
	var month, year string
	if m := monthYear.FindStringSubmatch(s); m != nil {
		month, year = m[1], m[2]
	} else if m := bare.FindStringSubmatch(s); m != nil {
		month, year = m[1], m[2]
	} else if m := yearMonth.FindStringSubmatch(s); m != nil {
		year, month = m[1], m[2]
	} else {
		return Expiry{}, BadText
	}
	// The patterns let only short runs of ASCII digits through.
	mm, _ := strconv.Atoi(month)
	yy, _ := strconv.Atoi(year[len(year)-2:])
	if mm < 1 || mm > 12 {
		return Expiry{}, BadText
	}
	return Expiry{year: 2000 + yy, month: time.Month(mm)}, nil
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
