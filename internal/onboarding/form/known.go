package form

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/kit/clock"
)

// Person holds what we know about a person. Fields are empty while nothing is known.
type Person struct {
	First, Last string
	Business    BusinessInfo   // of the form saved last, else of the shop or the merchant
	Zone        *time.Location // of the shop; clock.Home without one
}

// People knows what people have told.
type People struct{ queries *db.Queries }

// NewPeople returns People that read through queries.
func NewPeople(queries *db.Queries) *People { return &People{queries} }

// Of returns what is known of the person with an account.
func (p *People) Of(ctx context.Context, account uuid.UUID) (Person, error) {
	row, err := p.queries.AccountKnown(ctx, account)
	if err != nil {
		return Person{}, err
	}
	var kept Data
	if err := json.Unmarshal(row.Form, &kept); err != nil {
		return Person{}, fmt.Errorf("stored form: %w", err)
	}
	one := Person{Business: kept.BusinessInfo, Zone: clock.Zone(cmp.Or(row.TimeZone, clock.Home))}
	one.Business.TradingName = cmp.Or(one.Business.TradingName, row.Shop, row.Merchant, row.DraftBusiness)
	one.Business.Country = cmp.Or(one.Business.Country, row.Country)
	one.name(kept.Contacts, row)
	return one, nil
}

// name takes over the first pair of names that is complete.
func (p *Person) name(contacts []Contact, row db.AccountKnownRow) {
	pairs := [][2]string{{row.First, row.Last}, {row.DraftFirst, row.DraftLast}}
	if len(contacts) > 0 {
		pairs = append([][2]string{{contacts[0].First, contacts[0].Last}}, pairs...)
	}
	for _, pair := range pairs {
		if pair[0] != "" && pair[1] != "" {
			p.First, p.Last = pair[0], pair[1]
			return
		}
	}
	words := strings.Fields(row.Person)
	if len(words) > 1 {
		p.First, p.Last = strings.Join(words[:len(words)-1], " "), words[len(words)-1]
	} else {
		p.First = strings.Join(words, " ")
	}
}

// Fill suggests an answer to a step that was never answered. It changes nothing that somebody typed. contacts are those of the form.
func (p Person) Fill(step Step, contacts []Contact) {
	switch s := step.(type) {
	case *PrimaryContact:
		if len(s.Contacts) > 0 && s.Contacts[0].First == "" && s.Contacts[0].Last == "" {
			s.Contacts[0].First, s.Contacts[0].Last = p.First, p.Last
		}
	case *BusinessInfo:
		if s.TradingName != "" {
			return
		}
		preset := *s
		*s = p.Business
		s.Country, s.EntityType = cmp.Or(s.Country, preset.Country), cmp.Or(s.EntityType, preset.EntityType)
	case *StakeHolders:
		if len(s.People) > 0 || len(contacts) == 0 {
			return
		}
		if name := strings.TrimSpace(contacts[0].First + " " + contacts[0].Last); name != "" {
			s.People = []StakeHolder{{Name: name, Type: HolderTypes()[0]}}
		}
	}
}
