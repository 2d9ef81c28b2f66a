package shop

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/clock"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/picture"
	"forecourt/internal/run/throttle"
)

// Errors for a person who uses a shop.
var (
	// ErrMissing means that the shop does not exist, or that the person is not on its team. It does not say which.
	ErrMissing = fault.New(fault.NotFound, "no such shop of this person")
	// ErrRole means that the person's role lacks the right.
	ErrRole = fault.New(fault.Forbidden, "the role may not do this")
)

// What the database says about a shop.
type (
	// Listed is a shop in the list of a person's shops.
	Listed = db.ShopListByAccountRow
	// Demo is a demo business.
	Demo = db.ShopListDemoRow
	// Ready is a merchant without a shop, with the code and the name suggested for one.
	Ready = db.MerchantReadyListRow
	// StaffLook is one of the provider's staff looking at a page of a desk: the reason is its address below the desk, "" for the first page.
	StaffLook = db.AuditListLooksRow
	// Member is a person on a shop's team.
	Member = db.TeamListRow
	// Invited is an invitation that nobody has accepted yet.
	Invited = db.ShopInviteListRow
	// Invitation is what a link invites to.
	Invitation = db.ShopInviteFindRow
	// Screen is a kitchen screen: a browser in a kitchen that needs no account. It is late if its link is too old and was never opened.
	Screen = db.ScreenListRow
	// Table is a table of a shop: its name, which is unique in it and which orders carry, and its area, "" for none.
	Table = db.ShopTableListRow
)

// Person is the person who acts. Email names them in the audit log. What matters most needs their Proof: teams, kitchen screens, secrets,
// refund limits, going live, and accounts at the gateway.
type Person struct {
	ID    uuid.UUID
	Email string
	Proof account.Proof
}

// Shop is a place, such as a café, through which a merchant sells.
type Shop struct {
	db.Shop

	Locations []string // where things are made, in the order of the kitchen's columns; only Details reads them
}

// EverLive reports whether a shop takes real payments or once did. What its books show does not depend on which kind new orders are.
func (s Shop) EverLive() bool { return s.Live || s.WasLive }

// DayTurns is the hour of a shop's clock at which its day ends and the next begins: what a bar takes at 2 am belongs to the evening before.
const DayTurns = 5

// Zone returns the shop's time zone; UTC if this computer does not know it.
func (s Shop) Zone() *time.Location { return clock.Zone(s.TimeZone) }

// TradingDay returns the day to which a moment belongs by the shop's clock, as midnight UTC of its date.
func (s Shop) TradingDay(at time.Time) time.Time { return DateOf(at.In(s.Zone())) }

// DateOf returns the date of the day to which a moment belongs by its own clock, at midnight UTC: before DayTurns it is the previous one.
func DateOf(local time.Time) time.Time {
	day := local.Day()
	if local.Hour() < DayTurns {
		day--
	}
	return time.Date(local.Year(), local.Month(), day, 0, 0, 0, 0, time.UTC)
}

// DayOf returns when the day of a moment begins and ends by the shop's clock, and when the same weekday of the week before began.
func (s Shop) DayOf(at time.Time) (begins, ends, before time.Time) {
	date := s.TradingDay(at)
	return s.DayBegins(date), s.DayBegins(date.AddDate(0, 0, 1)), s.DayBegins(date.AddDate(0, 0, -7))
}

// DayBegins returns when the day of a date begins by the shop's clock.
func (s Shop) DayBegins(date time.Time) time.Time {
	return time.Date(date.Year(), date.Month(), date.Day(), DayTurns, 0, 0, 0, s.Zone())
}

// Config holds what New needs.
type Config struct {
	Pool     *pgxpool.Pool
	Studio   *picture.Studio // encodes pictures
	Mail     *mail.Queue
	Rule     account.Verification // who may invite
	LimitKey secret.Key           // hashes what limits count by
	Announce func(topic string)   // makes open kitchen screens check that they still have access
}

// Shops stores the shops with their pictures, tables, teams and kitchen screens. Each change of a team or of screens locks the shop's row
// first, so that two at once see each other: a shop that has an owner keeps one.
type Shops struct {
	Config

	queries  *db.Queries
	throttle *throttle.Throttle
}

// New returns the shops stored in a database.
func New(c Config) *Shops {
	queries := db.New(c.Pool)
	return &Shops{c, queries, throttle.New(queries, c.LimitKey)}
}

// Enter returns a shop and the role of an account in it. Errors: ErrMissing, also for a person who is not on the team.
func (s *Shops) Enter(ctx context.Context, code string, account uuid.UUID) (Shop, Role, error) {
	row, err := s.queries.ShopEnter(ctx, code, account)
	return Shop{Shop: row.Shop}, Role(row.Role), none(err, ErrMissing)
}

// Find returns a shop for the provider's staff. Errors: ErrMissing.
func (s *Shops) Find(ctx context.Context, code string) (Shop, error) {
	row, err := s.queries.ShopFind(ctx, code)
	return Shop{Shop: row}, none(err, ErrMissing)
}

// none returns what an error means if it says that there is no row, and any other error as it is.
func none(err, means error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return means
	}
	return err
}

// Of lists the shops of a person, in the order they were made.
func (s *Shops) Of(ctx context.Context, account uuid.UUID) ([]Listed, error) {
	return s.queries.ShopListByAccount(ctx, account)
}

// Change is an action of a person on a shop, for the audit log.
type Change struct {
	Action string // such as "shop changed"
	Detail string // the new value, or the person concerned
}

// Change runs work in a database transaction in which the person keeps the right, even if the team changes meanwhile, and
// records the change that work returns. An empty Action means that nothing was done; it is not recorded. Errors: ErrMissing,
// ErrRole, those of work.
func (s *Shops) Change(ctx context.Context, by Person, code string, right Right, work func(pgx.Tx) (Change, error)) error {
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		return ChangeIn(ctx, tx, by, code, right, func(Role) (Change, error) { return work(tx) })
	})
}

// ChangeIn is Change within a transaction. work gets the person's role.
func ChangeIn(
	ctx context.Context, tx pgx.Tx, by Person, code string, right Right, work func(Role) (Change, error),
) error {
	queries := db.New(tx)
	role, err := queries.ShopMemberLock(ctx, code, by.ID)
	if err != nil {
		return none(err, ErrMissing)
	}
	if !Role(role).May(right) {
		return ErrRole
	}
	done, err := work(Role(role))
	if err != nil || done.Action == "" {
		return err
	}
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by.Email, Action: done.Action, Subject: Subject(code), Reason: done.Detail})
}

// Subject names a shop in the audit log.
func Subject(code string) string { return "shop " + code }

// LookSubject names a shop in the audit log's lines about staff who looked at its desk.
func LookSubject(code string) string { return "desk " + code }

// LookAgainAfter is how long the pages that refresh themselves count as one look.
const LookAgainAfter = 5 * time.Minute

// LooksOnPage is how many looks a page lists.
const LooksOnPage = 50

// Looked notes in the audit log that one of the staff looks at a page of a shop's desk. It notes a page that refreshes itself once in
// LookAgainAfter.
func (s *Shops) Looked(ctx context.Context, by, code, page string) error {
	return s.queries.AuditLook(ctx, db.AuditLookParams{
		Actor: by, Subject: LookSubject(code), Page: page, AgainAfter: LookAgainAfter,
	})
}

// Looks lists when staff looked at a shop's desk the latest first, before a line of the audit log; 0 begins with the latest.
func (s *Shops) Looks(ctx context.Context, code string, before int64) (list []StaffLook, more bool, err error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	rows, err := s.queries.AuditListLooks(ctx, LookSubject(code), before, LooksOnPage+1)
	return rows[:min(len(rows), LooksOnPage)], len(rows) > LooksOnPage, err
}
