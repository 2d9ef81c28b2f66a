package shop

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"forecourt/db"
	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

var (
	codeForm    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$`)
	accentForm  = regexp.MustCompile(`^#[0-9a-f]{6}$`)
	countryForm = regexp.MustCompile(`^[A-Z]{2}$`)
)

// reserved lists words that the desk's addresses use in place of a code.
var reserved = []string{"new", "look"}

// Typed returns a shop with the details of a form, except its logo.
func Typed(form url.Values) (s Shop) {
	s.Code = strings.ToLower(form.Get("code"))
	s.Name, s.Tagline, s.Accent = form.Get("name"), form.Get("tagline"), form.Get("accent")
	s.CountryCode, s.Currency, s.TimeZone = form.Get("country"), form.Get("currency"), form.Get("timezone")
	s.Hours, s.Mail, s.Abn, s.GstIncluded = form.Get("hours"), form.Get("mail"), form.Get("abn"), form.Get("gst") == "on"
	s.Street, s.Phone, s.MailReceipts = form.Get("street"), form.Get("phone"), form.Get("copies") == "on"
	s.Locations = strings.FieldsFunc(strings.Join(form["locations"], "\n"), func(r rune) bool { return r == '\n' })
	return s
}

// Check returns the shop with its details in tidy form and their problems, by the names of the form's fields.
func (s Shop) Check() (Shop, fault.Problems) {
	problems := fault.Problems{}
	require := func(field string, fits bool, text string) {
		if !fits {
			problems[field] = text
		}
	}
	problems.Note("name", typed.Tidy(&s.Name, 80, "name", "Enter the name of your business."))
	problems.Note("tagline", typed.Tidy(&s.Tagline, 120, "tagline", ""))
	problems.Note("street", typed.Tidy(&s.Street, 120, "address", ""))
	problems.Note("phone", typed.Phone(&s.Phone))
	s.Accent = strings.ToLower(strings.TrimSpace(s.Accent))
	require("accent", accentForm.MatchString(s.Accent), "Choose a colour like #2347c5.")
	require("currency", money.Currency(s.Currency), "Choose a currency.")
	require("country", countryForm.MatchString(s.CountryCode), "Choose a country.")
	_, err := time.LoadLocation(s.TimeZone)
	require("timezone", err == nil && s.TimeZone != "" && s.TimeZone != "Local", "Choose a time zone.")
	abn, fits := brand.FormatABN(s.Abn)
	require("abn", !fits || abn != "" || !s.GstIncluded, "Enter an ABN. Receipts that show GST need one.")
	require("abn", fits, "Check the ABN: it needs eleven digits, and at least one is wrong.")
	if problems["abn"] == "" {
		s.Abn = abn
	}
	s.Mail = typed.Email(s.Mail)
	require("mail", s.Mail == "" || typed.IsEmail(s.Mail), "Enter an email address like name@example.com.")
	s.Locations = s.checkLocations(problems)
	hours, wrong := clock.TidyHours(s.Hours, nil)
	problems.Note("hours", wrong)
	s.Hours = hours
	return s, problems
}

// checked is Check with the names of public holidays in its hours: those of the shop with a code, if there is one.
func (s *Shops) checked(ctx context.Context, one Shop, code string) (Shop, fault.Problems, error) {
	names, err := s.queries.HolidayNameList(ctx, code, one.CountryCode, one.TimeZone)
	hours, wrong := clock.TidyHours(one.Hours, append([]string{}, names...))
	one.Hours = hours
	tidy, problems := one.Check()
	problems.Note("hours", wrong)
	return tidy, problems, err
}

// HoursOf returns the opening hours of a shop, with its public holidays.
func (s *Shops) HoursOf(ctx context.Context, one Shop) (clock.Hours, error) {
	hours, _ := clock.ParseHours(one.Hours) // the desk accepts only valid hours
	holidays, err := s.queries.HolidaysOf(ctx, one.Code)
	return hours.Keeping(clock.ReadHolidays(holidays)), err
}

// CheckCode adds the problem of a new shop's code, if there is one.
func (s Shop) CheckCode(problems fault.Problems) {
	if !codeForm.MatchString(s.Code) || card.HoldsCard(s.Code) || slices.Contains(reserved, s.Code) {
		problems["code"] = "Use 3 to 40 lowercase letters, digits and hyphens for the address."
	}
}

// Propose returns a free code for the shop of a merchant: the whole name, "The Fitzroy Cup" as the-fitzroy-cup, with a number if another
// business has it.
func (s *Shops) Propose(ctx context.Context, m Ready) (string, error) {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r):
			return -1
		}
		return ' '
	}, norm.NFKD.String(strings.ToLower(m.Name)))
	name := strings.Join(strings.Fields(plain), "-")
	name = strings.Trim(name[:min(len(name), 37)], "-")
	codes := []string{name}
	for n := range 8 {
		codes = append(codes, name+"-"+strconv.Itoa(n+2))
	}
	taken, err := s.queries.ShopCodeTaken(ctx, codes, m.Uuid)
	for _, code := range codes {
		if problems := (fault.Problems{}); !slices.Contains(taken, code) {
			if (Shop{Shop: db.Shop{Code: code}}).CheckCode(problems); len(problems) == 0 {
				return code, err
			}
		}
	}
	return m.Code, err
}

// PlaceField names the field of a place where things are made, n from 0. The first also has the problems of all of them.
func PlaceField(n int) string {
	if n == 0 {
		return "locations"
	}
	return "locations." + strconv.Itoa(n)
}

func (s Shop) checkLocations(problems fault.Problems) (kept []string) {
	const longest, most = 40, 20
	for _, name := range s.Locations {
		wrong := typed.Tidy(&name, longest, "place", "")
		switch {
		case name == "":
			continue
		case wrong != "":
			problems[PlaceField(len(kept))] = wrong
		case slices.ContainsFunc(kept, func(other string) bool { return typed.Alike(other) == typed.Alike(name) }):
			problems[PlaceField(len(kept))] = "Enter each place once."
		}
		kept = append(kept, name)
	}
	if len(kept) == 0 {
		problems[PlaceField(0)] = "Enter at least one place where things are made."
	}
	if len(kept) > most {
		problems[PlaceField(most)] = "Enter at most 20 places."
	}
	return kept
}

// Ready lists the merchants of an admin that have no shop.
func (s *Shops) Ready(ctx context.Context, account uuid.UUID) ([]Ready, error) {
	return s.queries.MerchantReadyList(ctx, account)
}

// Create makes the shop of a merchant, for one of its admins, and returns its code. For its owners see MakeTeam. If the merchant already
// has a shop, Create returns that shop's code. Errors: fault.Problems of the details, ErrMissing.
func (s *Shops) Create(ctx context.Context, by Person, merchant uuid.UUID, one Shop) (code string, err error) {
	one, problems, err := s.checked(ctx, one, "")
	if err != nil {
		return "", err
	}
	one.CheckCode(problems)
	if len(problems) > 0 {
		return "", problems
	}
	err = pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		m, err := queries.MerchantLockOwn(ctx, merchant, by.ID)
		if err != nil {
			return none(err, ErrMissing)
		}
		if m.ShopCode != nil {
			code = *m.ShopCode
			return nil
		}
		n, err := queries.ShopAdd(ctx, db.ShopAddParams{Code: one.Code, Name: one.Name, Accent: one.Accent, Merchant: merchant})
		if err == nil && n == 0 {
			err = fault.Problems{"code": "Another business has this address. Choose a different one."}
		}
		if err != nil {
			return err
		}
		code = one.Code
		if err := queries.MerchantOpenShop(ctx, code, merchant); err != nil {
			return err
		}
		if err := MakeTeam(ctx, queries, code, merchant); err != nil {
			return err
		}
		if err := store(ctx, queries, one); err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by.Email, Action: "shop made", Subject: Subject(code), Reason: one.Name})
	})
	return code, err
}

// Details returns a shop with its locations.
func (s *Shops) Details(ctx context.Context, one Shop) (_ Shop, err error) {
	one.Locations, err = s.queries.ShopLocationList(ctx, one.Code)
	return one, err
}

// form returns the details as Typed reads them, and the logo.
func (s Shop) form() url.Values {
	return url.Values{
		"name": {s.Name}, "tagline": {s.Tagline}, "accent": {s.Accent}, "country": {s.CountryCode}, "currency": {s.Currency},
		"timezone": {s.TimeZone}, "hours": {s.Hours}, "mail": {s.Mail}, "abn": {s.Abn}, "gst": {ticked(s.GstIncluded)},
		"street": {s.Street}, "phone": {s.Phone}, "copies": {ticked(s.MailReceipts)},
		"locations": {strings.Join(s.Locations, "\n")}, "logo": {s.Logo},
	}
}

func ticked(yes bool) string { return map[bool]string{true: "on"}[yes] }

// Seen names the details, for a form that is made from them.
func (s Shop) Seen() string { return s.form().Encode() }

// onto returns what is saved by now with the changes that s makes to what its form was made from, and what somebody else has changed as
// well.
func (s Shop) onto(now Shop, seen string) (Shop, fault.Problems) {
	was, _ := url.ParseQuery(seen)
	if len(was) == 0 {
		return s, nil
	}
	mine, saved, problems := s.form(), now.form(), fault.Problems{}
	for field := range mine {
		switch mine.Get(field) {
		case was.Get(field):
			mine[field] = saved[field]
		case saved.Get(field):
		default:
			if saved.Get(field) != was.Get(field) {
				to := cmp.Or(printable.Isolated(saved.Get(field)), "nothing")
				if field == "logo" || field == "gst" || field == "copies" {
					to = "something else"
				}
				problems[field] = "Somebody has changed this meanwhile, to " + to + ". Save again to put yours in its place."
			}
		}
	}
	merged := Typed(mine)
	merged.Code, merged.Live, merged.Logo = s.Code, s.Live, mine.Get("logo")
	return merged, problems
}

// Save changes what a shop says about itself. seen is what the form was made from, so that two people who change different things do not
// notice each other; "" replaces everything. It returns what the form has to show, and has seen, if there are problems. Errors:
// fault.Problems, ErrMissing, ErrRole.
func (s *Shops) Save(ctx context.Context, by Person, one Shop, seen string) (Shop, string, error) {
	tidy, problems, err := s.checked(ctx, one, one.Code)
	if err != nil {
		return one, seen, err
	}
	if len(problems) > 0 {
		return one, seen, problems
	}
	err = s.Change(ctx, by, one.Code, Edit, func(tx pgx.Tx) (Change, error) {
		queries := db.New(tx)
		if _, err := queries.ShopLock(ctx, one.Code); err != nil {
			return Change{}, err
		}
		saved, err := queries.ShopGet(ctx, one.Code)
		if err != nil {
			return Change{}, err
		}
		now := Shop{Shop: saved}
		if now.Locations, err = queries.ShopLocationList(ctx, one.Code); err != nil {
			return Change{}, err
		}
		if one, problems = tidy.onto(now, seen); len(problems) == 0 {
			one, problems = one.Check()
		}
		if seen = now.Seen(); len(problems) > 0 {
			return Change{}, problems
		}
		return Change{Action: "shop changed", Detail: one.Name}, store(ctx, queries, one)
	})
	return one, seen, err
}

func store(ctx context.Context, queries *db.Queries, one Shop) error {
	_, err := queries.ShopSave(ctx, db.ShopSaveParams{
		Code: one.Code, Name: one.Name, Tagline: one.Tagline, Logo: one.Logo, Accent: one.Accent,
		TimeZone: one.TimeZone, Abn: one.Abn, GstIncluded: one.GstIncluded,
		Mail: one.Mail, Currency: one.Currency, CountryCode: one.CountryCode, Hours: one.Hours,
		Street: one.Street, Phone: one.Phone, MailReceipts: one.MailReceipts,
	})
	if err != nil {
		return err
	}
	return queries.ShopLocationSet(ctx, one.Code, one.Locations)
}

// Usual is what most businesses of a country have.
type Usual struct{ Currency, TimeZone string }

// UsualIn returns what is usual in a country that businesses can be in; false for any other. In a country with several time zones it is
// that of the largest city.
func UsualIn(country string) (Usual, bool) {
	usual, ok := map[string]Usual{
		"AU": {"AUD", "Australia/Sydney"}, "CA": {"CAD", "America/Toronto"}, "GB": {"GBP", "Europe/London"}, "IE": {"EUR", "Europe/Dublin"},
		"NZ": {"NZD", "Pacific/Auckland"}, "SG": {"SGD", "Asia/Singapore"}, "US": {"USD", "America/New_York"},
	}[country]
	return usual, ok
}
