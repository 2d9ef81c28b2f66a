// Package demo holds four invented businesses to try the product with.
package demo

import (
	"embed"
	"encoding/json"
	"fmt"

	"forecourt/internal/shop/menu"
)

//go:embed businesses/*.json
var files embed.FS

// Shop is the code of the main demo business.
const Shop = "panezski"

// Shortcode leads to the menu of Shop.
const Shortcode = "demo"

// Business is a merchant with its menu.
type Business struct {
	Code        string   `json:"code"` // as in /pos/{code}
	Name        string   `json:"name"`
	Tagline     string   `json:"tagline"`
	Accent      string   `json:"accent"` // "#RRGGBB"
	Logo        string   `json:"logo"`   // plain name of the asset: "img/logo/panezski.svg"
	Email       string   `json:"email"`
	PLName      string   `json:"plName"`      // the trading name on pay links and statements
	ABN         string   `json:"abn"`         // "NN NNN NNN NNN", with a valid checksum
	GSTIncluded bool     `json:"gstIncluded"` // in every price
	Live        bool     `json:"live"`
	Tables      []string `json:"tables"`      // nil where guests give their names
	PaylinkTest *Account `json:"paylinkTest"` // nil where the business has no paylink key
	PaylinkLive *Account `json:"paylinkLive"` // nil where the business has no paylink key
	menu.Menu
}

// Account is a sandbox key for pay links and wallets.
type Account struct {
	MID      string `json:"mid"`
	Password string `json:"password"`
}

// Businesses returns the four businesses, panezski first. An error means that the embedded data is broken.
func Businesses() ([]Business, error) {
	var all []Business
	for _, code := range []string{Shop, "moollar", "sabona", "tahbella"} {
		b, err := read(code)
		if err != nil {
			return nil, fmt.Errorf("demo business %s: %w", code, err)
		}
		all = append(all, b)
	}
	return all, nil
}

func read(code string) (Business, error) {
	f, err := files.Open("businesses/" + code + ".json")
	if err != nil {
		return Business{}, err
	}
	defer f.Close()
	var b Business
	dec := json.NewDecoder(f)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		return Business{}, err
	}
	return b, nil
}
