// Package merchant has the rules for businesses that integrate: how a merchant is made, its credentials, its admins and the test gateway
// for its credentials.
package merchant

import (
	"slices"
	"strings"

	"forecourt/internal/kit/fault"
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

// Suggested lists the options that are ticked if a product is recommended: all of them, but WooCommerce only if the address preselected the
// product.
func (p Product) Suggested(preselected []string) []string {
	return slices.DeleteFunc(slices.Clone(p.Options), func(option string) bool {
		return option == WooCommerce && !slices.Contains(preselected, p.Code)
	})
}
