// Package merchant has the rules for businesses that integrate: how a merchant is made, its credentials, its admins and the test gateway
// for its credentials.
package merchant

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/shop/shop"
)

// Product is what a merchant chose: a product of the catalogue with some of its options.
type Product struct {
	Code    string   `json:"code"`
	Name    string   `json:"name"`
	Options []string `json:"options"`
}

// APICode is the product that comes with test credentials (ADMIN-29).
const APICode = "api"

// ShopCode is the product whose shops send their customers to the hosted payment page.
const ShopCode = "ecom"

// Catalogue lists every product with every option (ADMIN-42 to ADMIN-45).
func Catalogue() []Product {
	return []Product{
		{APICode, "Payments API", []string{"Card Payments", "Direct Debit/Credit", "Alternative Payments", "EMV"}},
		{"tsdk", "Terminal SDKs", []string{"iOS", "Android", "Windows", "MacOS", "Linux SDK"}},
		{ShopCode, "e-Commerce Solutions", []string{WooCommerce, "Hosted Payment Pages"}},
		{"lbs", "Payments on the go", []string{
			"Mobile Terminal", "QR Payments", "Point of Sale", "Order at Table", "Payment Links", "Invoicing", "Recurring Payments",
		}},
	}
}

// These errors say why a choice of products is refused.
var (
	ErrNoProduct = fault.New(fault.Invalid, "no product is chosen")
	ErrProduct   = fault.New(fault.Invalid, "a product or an option is not in the catalogue")
)

// Choose returns what was chosen as the catalogue names it and in its order. An option whose product is not chosen is left
// out. Errors: ErrNoProduct, ErrProduct.
func Choose(codes []string, options map[string][]string) ([]Product, error) {
	var chosen []Product
	known := map[string]bool{}
	for _, p := range Catalogue() {
		known[p.Code] = true
		for _, option := range options[p.Code] {
			if !slices.Contains(p.Options, option) {
				return nil, ErrProduct
			}
		}
		if slices.Contains(codes, p.Code) {
			kept := []string{}
			for _, option := range p.Options {
				if slices.Contains(options[p.Code], option) {
					kept = append(kept, option)
				}
			}
			chosen = append(chosen, Product{p.Code, p.Name, kept})
		}
	}
	for _, code := range codes {
		if !known[code] {
			return nil, ErrProduct
		}
	}
	if len(chosen) == 0 {
		return nil, ErrNoProduct
	}
	return chosen, nil
}

// Preselected reads the product codes of an address (ADMIN-04): a comma-separated list in any case. Unknown codes
// are left out.
func Preselected(list string) []string {
	codes := []string{}
	asked := strings.Split(strings.ToLower(list), ",")
	for _, p := range Catalogue() {
		if slices.ContainsFunc(asked, func(code string) bool { return strings.TrimSpace(code) == p.Code }) {
			codes = append(codes, p.Code)
		}
	}
	return codes
}

// WooCommerce is the part of ShopCode for one kind of web shop.
const WooCommerce = "WooCommerce Plugin"

// misread are options whose names promise a café more than they are: a card reader, invoices, charges that repeat by themselves.
var misread = []string{"Mobile Terminal", "Invoicing", "Recurring Payments"}

// Suggested lists the options that are ticked if a product is recommended: all of them, but those in misread never, and WooCommerce only if
// the address preselected the product.
func (p Product) Suggested(preselected []string) []string {
	return slices.DeleteFunc(slices.Clone(p.Options), func(option string) bool {
		return slices.Contains(misread, option) || option == WooCommerce && !slices.Contains(preselected, p.Code)
	})
}

// Question is one of the questionnaire, named by ID; views word it.
type Question string

// The questions and their answers (ADMIN-14 to ADMIN-20).
const (
	Kind  Question = "kind"  // Own or Solution
	Scope Question = "scope" // Us or SubMerchants
	Refer Question = "refer" // Yes or No
	Chain Question = "chain" // Yes or No
)

// Answers to the questions.
const (
	Own          = "own"
	Solution     = "solution"
	Us           = "us"
	SubMerchants = "submerchants"
	Yes          = "yes"
	No           = "no"
)

// Choices are the answers that a question takes; none for something that is not a question.
func (q Question) Choices() []string {
	switch q {
	case Kind:
		return []string{Own, Solution}
	case Scope:
		return []string{Us, SubMerchants}
	case Refer, Chain:
		return []string{Yes, No}
	default:
		return nil
	}
}

// Answers are what was answered, by question.
type Answers map[Question]string

// Path lists the questions that these answers lead through. Unless done, the last one is not answered yet.
func (a Answers) Path() (path []Question, done bool) {
	next := Kind
	for {
		path = append(path, next)
		answer := a[next]
		if !slices.Contains(next.Choices(), answer) {
			return path, false
		}
		switch {
		case next == Kind && answer == Own:
			next = Scope
		case next == Kind:
			next = Refer
		case next == Refer && answer == No:
			next = Chain
		default:
			return path, true
		}
	}
}

// Recommended returns the products that the answers lead to, and the preselected ones, in the catalogue's order (ADMIN-21 to ADMIN-23).
// Answers of an abandoned branch do not count.
func (a Answers) Recommended(preselected []string) []string {
	wanted := slices.Clone(preselected)
	if _, done := a.Path(); done {
		if a[Kind] == Own {
			wanted = append(wanted, APICode, "tsdk")
		} else {
			wanted = append(wanted, "ecom", "lbs")
		}
	}
	codes := []string{}
	for _, p := range Catalogue() {
		if slices.Contains(wanted, p.Code) {
			codes = append(codes, p.Code)
		}
	}
	return codes
}

// SaveProducts changes what a merchant builds with, for one of its admins. Errors: ErrMissing.
func (m *Merchants) SaveProducts(ctx context.Context, by shop.Person, id uuid.UUID, products []Product) error {
	text, err := json.Marshal(products)
	if err != nil {
		return err
	}
	codes := make([]string, len(products))
	for i, p := range products {
		codes[i] = p.Code
	}
	return pgx.BeginFunc(ctx, m.pool, func(tx pgx.Tx) error {
		queries := db.New(tx)
		n, err := queries.MerchantProductsSave(ctx, text, id, by.ID)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrMissing
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by.Email, Action: "products changed", Subject: "merchant " + id.String(), Reason: strings.Join(codes, ", "),
		})
	})
}
