package api

import (
	"bytes"
	"encoding/json"
	"reflect"

	"forecourt/internal/kit/money"
	"forecourt/internal/shop/order"
)

// amount is money on the wire: a string with two decimals, or a number. It is read and kept in minor units.
type amount int64

// UnmarshalJSON reads "12.50" and 12.5 alike.
func (a *amount) UnmarshalJSON(text []byte) error {
	s := string(bytes.Trim(text, `"`))
	minor, err := money.Parse(s)
	if err != nil {
		return &json.UnmarshalTypeError{Value: "value", Type: reflect.TypeFor[amount]()}
	}
	*a = amount(minor)
	return nil
}

// Rule implements web.Ruled.
func (amount) Rule() string {
	return `an amount with at most two decimals, such as "12.50", up to 999999.99`
}

// MarshalJSON prints "12.50".
func (a amount) MarshalJSON() ([]byte, error) { return json.Marshal(money.Wire(int64(a))) }

// itemID is an item's id, a number or a string of digits, perhaps followed by choices and a note as in the address of a basket.
type itemID order.Pick

// UnmarshalJSON reads either.
func (id *itemID) UnmarshalJSON(text []byte) error {
	s := string(bytes.Trim(text, `"`))
	if s == "" || s == "null" {
		return nil
	}
	pick, ok := order.ParsePick(s)
	if !ok {
		return &json.UnmarshalTypeError{Value: "value", Type: reflect.TypeFor[itemID]()}
	}
	*id = itemID(pick)
	return nil
}

// Rule implements web.Ruled.
func (itemID) Rule() string { return "the id of an item, a whole number" }
