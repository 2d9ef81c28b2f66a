package invite_test

import (
	"errors"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/people/invite"
	"forecourt/internal/run/throttle"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const email = "ann@example.com"

func open(t *testing.T) (*invite.Invites, *pgxpool.Pool) {
	t.Helper()
	pool := dbtest.Pool(t)
	return invite.New(pool, secret.NewHasher(), account.PasswordPlaces(), secret.Key("key"), invite.Limits{}), pool
}

func create(t *testing.T, invites *invite.Invites) invite.Invite {
	t.Helper()
	made, err := invites.Create(t.Context(), "panezski", "Ann@Example.com ", invite.DefaultDays)
	check.Must(t, err)
	return made
}

func ask(made invite.Invite) invite.Request {
	return invite.Request{DocID: made.DocID, Email: email, SecretKey: made.SecretKey, Password: secret.New("Blue-kettle-7")}
}

var versionFour = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func TestALinkBecomesATokenOnce(t *testing.T) {
	t.Parallel()
	invites, pool := open(t)
	made := create(t, invites)
	t.Run("a link cannot be guessed, and is for one email for 30 days (SEC-10)", func(t *testing.T) {
		if len(made.DocID) < 22 || made.Email != email || time.Until(made.ExpiresAt) < 29*24*time.Hour {
			t.Errorf("invited as %q until %s by link %q", made.Email, made.ExpiresAt, made.DocID)
		}
	})
	shape := func() (generated bool, hashes string, created *time.Time) {
		row := pool.QueryRow(t.Context(), `SELECT is_token_generated, token_created_at,
			concat_ws(' ', doc_id, email, secret_key_hash, password_hash, encode(token_hash, 'escape')) FROM invite WHERE doc_id = $1`, made.DocID)
		check.Must(t, row.Scan(&generated, &created, &hashes))
		return generated, hashes, created
	}
	t.Run("there is no token before one was generated (TOKEN-19)", func(t *testing.T) {
		if generated, _, created := shape(); generated || created != nil {
			t.Error("a token exists before one was generated")
		}
	})
	token, err := invites.Generate(t.Context(), ask(made))
	if err != nil || !versionFour.MatchString(token.Reveal()) {
		t.Fatalf("TOKEN-20 %q is not a UUID of version 4, %v", token.Reveal(), err)
	}
	generated, hashes, created := shape()
	t.Run("the token's time is stored, and key and password as hashes (TOKEN-19 TOKEN-24)", func(t *testing.T) {
		if !generated || created == nil || strings.Count(hashes, "$argon2id$") != 2 {
			t.Errorf("after generating: generated %t at %v, %s", generated, created, hashes)
		}
	})
	t.Run("no secret is stored in plain text (TOKEN-25 DOC-16)", func(t *testing.T) {
		for _, plain := range []string{token.Reveal(), made.SecretKey.Reveal(), "Blue-kettle-7"} {
			check.Lacks(t, hashes, plain, "a secret is stored in plain text")
		}
	})
	_, err = invites.Generate(t.Context(), ask(made))
	check.ErrorIs(t, err, invite.ErrUsed, "TOKEN-15 generating a second time")
	_, err = invites.Check(t.Context(), made.DocID)
	check.ErrorIs(t, err, invite.ErrUsed, "TOKEN-15 checking the used link")
}

func TestOneOfFiftyRequestsGetsTheToken(t *testing.T) {
	t.Parallel()
	invites, pool := open(t)
	made := create(t, invites)
	queries := db.New(pool)
	var won atomic.Int64
	var all sync.WaitGroup
	for n := range 50 {
		all.Go(func() {
			rows, err := queries.InviteGenerate(t.Context(), []byte(strings.Repeat(string(rune('0'+n)), 32))[:32], "hash", made.DocID)
			check.NoError(t, err)
			won.Add(rows)
		})
	}
	all.Wait()
	check.Equal(t, won.Load(), 1, "requests got a token")
}

func TestGenerateRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		before string // a statement run after the link was checked
		change func(*invite.Request)
		want   error
	}{
		{"another secret key (TOKEN-12)", "", func(r *invite.Request) { r.SecretKey = secret.New("guessed") }, invite.ErrCredentials},
		{"another email (TOKEN-12)", "", func(r *invite.Request) { r.Email = "bob@example.com" }, invite.ErrCredentials},
		{"another link (TOKEN-14)", "", func(r *invite.Request) { r.DocID = "AAAAAAAAAAAAAAAAAAAAAAAAAA" }, invite.ErrLink},
		{"no link at all (TOKEN-14)", "", func(r *invite.Request) { r.DocID = "a\x00b" }, invite.ErrLink},
		{"another user's index (TOKEN-18)", "", func(r *invite.Request) { r.UserIndex = new(int64) }, invite.ErrNoUser},
		{"the list was removed (TOKEN-18)", "DELETE FROM security_document", nil, invite.ErrNoUser},
		{"the link expired (TOKEN-14)", "UPDATE invite SET expires_at = now()", nil, invite.ErrLink},
		{"the link was revoked (TOKEN-14)", "UPDATE invite SET revoked_at = now()", nil, invite.ErrLink},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			invites, pool := open(t)
			req := ask(create(t, invites))
			if tt.before != "" {
				dbtest.Exec(t, pool, tt.before)
			}
			if tt.change != nil {
				tt.change(&req)
			}
			if token, err := invites.Generate(t.Context(), req); !errors.Is(err, tt.want) || !token.IsZero() {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
}

func TestUsersHaveAnIndexInTheList(t *testing.T) {
	t.Parallel()
	invites, pool := open(t)
	t.Run("the first user's index is 0 (TOKEN-23)", func(t *testing.T) {
		if index, err := invites.Check(t.Context(), "demo-invite"); err != nil || index != 0 {
			t.Errorf("the first user's index is %d, %v", index, err)
		}
	})
	made := create(t, invites)
	index, err := invites.Check(t.Context(), made.DocID)
	t.Run("the second user's index is 1 (TOKEN-23)", func(t *testing.T) {
		if err != nil || index != 1 {
			t.Errorf("the second user's index is %d, %v", index, err)
		}
	})
	dbtest.Exec(t, pool, "DELETE FROM security_document")
	_, err = invites.Check(t.Context(), made.DocID)
	check.ErrorIs(t, err, invite.ErrNoList, "TOKEN-13 without the list")
}

func TestGuessesAreLimitedPerLink(t *testing.T) {
	t.Parallel()
	invites, pool := open(t)
	made, other := create(t, invites), create(t, invites)
	wrong := ask(made)
	wrong.SecretKey = secret.New("guessed")
	for range 5 {
		if _, err := invites.Generate(t.Context(), wrong); !errors.Is(err, invite.ErrCredentials) {
			t.Fatal(err)
		}
	}
	var wait *throttle.Error
	if _, err := invites.Generate(t.Context(), ask(made)); !errors.As(err, &wait) || wait.After > 15*time.Minute {
		t.Errorf("the sixth guess: %v", err)
	}
	_, err := invites.Generate(t.Context(), ask(other))
	check.NoError(t, err, "guessing delayed another link")
	dbtest.Exec(t, pool, "UPDATE throttle SET since = now() - interval '16 minutes'")
	_, err = invites.Generate(t.Context(), ask(made))
	check.NoError(t, err, "after 15 minutes")
}

func TestABearerTokenOpensItsBusinessUntilItIsRevoked(t *testing.T) {
	t.Parallel()
	invites, pool := open(t)
	made := create(t, invites)
	token, err := invites.Generate(t.Context(), ask(made))
	check.Must(t, err)
	home := netip.MustParseAddr("203.0.113.9")
	if shop, err := invites.Holder(t.Context(), token, home); err != nil || shop != "panezski" {
		t.Errorf("the token opens %q, %v", shop, err)
	}
	users, err := invites.List(t.Context())
	if err != nil || len(users) != 2 || users[1].State != invite.Active || users[1].LastUsedAt == nil || users[1].LastUsedAddr != "203.0.113.9" {
		t.Errorf("the token's use was not recorded: %+v, %v", users, err)
	}
	for n := range 21 {
		_, err := invites.Holder(t.Context(), secret.New("wrong"), home)
		if want := fault.Forbidden; n == 20 {
			check.Equal(t, fault.CodeOf(err), fault.TooMany, "after 20 wrong tokens: %v", err)
		} else if fault.CodeOf(err) != want {
			t.Errorf("a wrong token: %v", err)
		}
	}
	_, err = invites.Holder(t.Context(), token, home)
	check.NoError(t, err, "wrong tokens delayed the right one")
	check.Must(t, invites.Revoke(t.Context(), made.DocID))
	check.NoError(t, invites.Revoke(t.Context(), made.DocID), "revoking twice")
	_, err = invites.Holder(t.Context(), token, netip.MustParseAddr("2001:db8::1"))
	check.ErrorIs(t, err, invite.ErrToken, "the revoked token")
	dbtest.Exec(t, pool, "UPDATE invite SET revoked_at = NULL")
	dbtest.Exec(t, pool, "DELETE FROM security_document")
	_, err = invites.Holder(t.Context(), token, netip.MustParseAddr("2001:db8::1"))
	check.ErrorIs(t, err, invite.ErrToken, "without the list")
}

func TestReissuingRevokesTheOldLinkAndItsToken(t *testing.T) {
	t.Parallel()
	invites, _ := open(t)
	old := create(t, invites)
	token, err := invites.Generate(t.Context(), ask(old))
	check.Must(t, err)
	fresh, err := invites.Reissue(t.Context(), old.DocID, 1)
	if err != nil || fresh.DocID == old.DocID || fresh.SecretKey.Reveal() == old.SecretKey.Reveal() || fresh.Email != email {
		t.Fatalf("%+v, %v", fresh, err)
	}
	_, err = invites.Holder(t.Context(), token, netip.Addr{})
	check.ErrorIs(t, err, invite.ErrToken, "the old token")
	_, err = invites.Generate(t.Context(), ask(old))
	check.ErrorIs(t, err, invite.ErrLink, "the old link")
	_, err = invites.Generate(t.Context(), ask(fresh))
	check.NoError(t, err, "the new link")
}

func TestCreateRefusals(t *testing.T) {
	t.Parallel()
	invites, _ := open(t)
	for _, tt := range []struct {
		name, shop, email string
		days              int
		want              error
	}{
		{"no such business", "nobody", email, 30, invite.ErrShop},
		{"no address", "panezski", "ann", 30, invite.ErrEmail},
		{"a name with the address", "panezski", "Ann <ann@example.com>", 30, invite.ErrEmail},
		{"another address in brackets", "panezski", "a1<target@x.co>", 30, invite.ErrEmail},
		{"a line break", "panezski", "ann@example.com\nBcc: x@example.com", 30, invite.ErrEmail},
		{"valid for no days", "panezski", email, 0, invite.ErrDays},
		{"valid for more than a year", "panezski", email, 366, invite.ErrDays},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := invites.Create(t.Context(), tt.shop, tt.email, tt.days); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
	for _, err := range []error{invites.Revoke(t.Context(), "unknown"), func() error { _, err := invites.Reissue(t.Context(), "unknown", 1); return err }()} {
		check.ErrorIs(t, err, invite.ErrUnknown, "an unknown invite")
	}
}
