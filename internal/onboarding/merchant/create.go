package merchant

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/shop"
)

// signupInfo is what is kept of the onboarding; never a password.
type signupInfo struct {
	FirstName string   `json:"firstName"`
	LastName  string   `json:"lastName"`
	Name      string   `json:"name"`
	ShortCode string   `json:"shortCode"`
	Email     string   `json:"email"`
	Products  []string `json:"products"`
	Answers   Answers  `json:"answers"`
}

// PerDay is how many merchants a person may make in 24 hours. It bounds what an account can store: each merchant can have a shop with
// pictures.
const PerDay = 20

// making is the limit of PerDay. It counts by the person's id.
var making = throttle.Limit{Subject: "merchants made", Most: PerDay, Window: 24 * time.Hour}

// limited runs work in a transaction if a person may make another merchant, and counts it if work makes one.
func (m *Merchants) limited(ctx context.Context, by uuid.UUID, work func(*db.Queries) (made bool, err error)) (made bool, err error) {
	if err := m.throttle.Take(ctx, making, by.String()); err != nil {
		return false, err
	}
	err = pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) (err error) {
		made, err = work(db.New(tx))
		return err
	})
	if err != nil || !made {
		err = errors.Join(err, m.throttle.Succeed(context.WithoutCancel(ctx), making, by.String()))
	}
	return made, err
}

// Submit makes the merchant from a person's answers, with the products chosen, and ends the draft. A concurrent second submit makes
// no other merchant and returns ErrNoDraft. Errors: ErrNames if the first step is incomplete, ErrNoDraft, *throttle.Error after PerDay.
func (m *Merchants) Submit(ctx context.Context, by shop.Person, products []Product) (one Merchant, err error) {
	_, err = m.limited(ctx, by.ID, func(queries *db.Queries) (made bool, err error) {
		row, err := queries.OnboardingTake(ctx, by.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return false, ErrNoDraft
		}
		if err != nil {
			return false, err
		}
		draft, err := readDraft(row)
		if err != nil {
			return false, err
		}
		if !draft.Named() {
			return false, ErrNames
		}
		code := ShortCode(draft.Names.Business)
		info := signupInfo{
			FirstName: draft.Names.First, LastName: draft.Names.Last, Name: draft.Names.Business, ShortCode: code, Email: by.Email,
			Answers: draft.Answers, Products: []string{},
		}
		for _, p := range products {
			info.Products = append(info.Products, p.Code)
		}
		text, err := json.Marshal(info)
		if err != nil {
			return false, err
		}
		one, made, err = create(ctx, queries, Asked{By: by.ID, Code: code, Name: draft.Names.Business, SignupInfo: text, Products: products})
		return made, err
	})
	return one, err
}

// Asked is a merchant requested by a program.
type Asked struct {
	By         uuid.UUID
	Code, Name string // Code may be empty or taken: then it is derived from the name, with a suffix
	SignupInfo json.RawMessage
	Products   []Product
}

// Create makes a merchant (ADMIN-51) and returns its terminal secret. Repeating it with the same person and name returns the same merchant,
// with made false and without the secret: that takes a proof and Key. Errors: ErrNames, *throttle.Error after PerDay.
func (m *Merchants) Create(ctx context.Context, asked Asked) (one Merchant, key secret.Text, made bool, err error) {
	asked.Name = Names{Business: asked.Name}.Trim().Business
	if checkName(asked.Name, mostTrade, "short") != "" {
		return Merchant{}, key, false, ErrNames
	}
	if asked.Code = ShortCode(asked.Code); asked.Code == "" {
		asked.Code = ShortCode(asked.Name)
	}
	if known, err := m.queries.MerchantByName(ctx, asked.By, asked.Name); !errors.Is(err, pgx.ErrNoRows) {
		if err == nil {
			one, err = read(known)
		}
		return one, key, false, err
	}
	made, err = m.limited(ctx, asked.By, func(queries *db.Queries) (made bool, err error) {
		one, made, err = create(ctx, queries, asked)
		return made, err
	})
	if err == nil && made {
		key, err = m.key(ctx, asked.By, one.UUID)
	}
	return one, key, made, err
}

// create tries codes until one is free: the code itself, then with -2 to -9, then with random letters.
func create(ctx context.Context, queries *db.Queries, asked Asked) (one Merchant, made bool, err error) {
	products, err := json.Marshal(asked.Products)
	if err != nil {
		return Merchant{}, false, err
	}
	row := db.MerchantAddParams{
		Uuid: uuid.New(), Uid: asked.By, Name: asked.Name, SignupInfo: asked.SignupInfo, Products: products,
	}
	for try := 1; ; try++ {
		row.Code, row.Mid = codeOf(asked.Code, try), accountID()
		n, err := queries.MerchantAdd(ctx, row)
		if err != nil {
			return Merchant{}, false, err
		}
		if n == 1 {
			break
		}
		known, err := queries.MerchantByName(ctx, asked.By, asked.Name)
		if !errors.Is(err, pgx.ErrNoRows) {
			if err == nil {
				one, err = read(known)
			}
			return one, false, err
		}
	}
	if err := queries.MerchantAdminAdd(ctx, row.Uuid, asked.By); err != nil {
		return Merchant{}, false, err
	}
	stored, err := queries.MerchantGet(ctx, row.Uuid)
	if err == nil {
		one, err = read(stored)
	}
	return one, true, err
}

func codeOf(code string, try int) string {
	suffix := strings.ToLower(rand.Text()[:6])
	switch {
	case code == "":
		return emptyStart + "-" + suffix
	case try == 1:
		return code
	case try < 10:
		return code + "-" + strconv.Itoa(try)
	default:
		return code + "-" + suffix
	}
}

// accountID returns ten random digits that do not begin with zero.
func accountID() string {
	n, err := rand.Int(rand.Reader, big.NewInt(9_000_000_000))
	if err != nil {
		panic(err) // the system's source of randomness does not fail
	}
	return strconv.FormatInt(n.Int64()+1_000_000_000, 10)
}
