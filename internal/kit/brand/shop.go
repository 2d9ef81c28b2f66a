package brand

import (
	"time"

	"forecourt/db"
	"forecourt/internal/kit/clock"
)

// Shop is a business as its customers see it.
type Shop struct {
	Code, Name, Tagline string
	Live                bool   // takes real money
	Currency            string // ISO 4217
	Accent              string // #rrggbb
	Logo                string // the name of its asset; empty for none
	Mail                string // where customers may write; may be empty
	Zone                *time.Location
}

// Of returns what customers see of a shop.
func Of(row db.Shop) Shop {
	return Shop{
		Code: row.Code, Name: row.Name, Tagline: row.Tagline, Live: row.Live, Currency: row.Currency, Accent: row.Accent, Logo: row.Logo,
		Mail: row.Mail, Zone: clock.Zone(row.TimeZone),
	}
}
