package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"forecourt/internal/money"
)

// amount is money on the wire: a string with two decimals, or a number. It is read and kept in minor units.
type amount int64

var errAmount = errors.New("not an amount")

// UnmarshalJSON reads "12.50" and 12.5 alike.
func (a *amount) UnmarshalJSON(text []byte) error {
	s := string(bytes.Trim(text, `"`))
	minor, err := money.Parse(s)
	if err != nil {
		return errAmount
	}
	*a = amount(minor)
	return nil
}

// MarshalJSON prints "12.50".
func (a amount) MarshalJSON() ([]byte, error) { return json.Marshal(money.Wire(int64(a))) }

// itemID is an item's id as a number or as a string of digits.
type itemID int64

// UnmarshalJSON reads 12 and "12" alike; "" is 0.
func (id *itemID) UnmarshalJSON(text []byte) error {
	s := string(bytes.Trim(text, `"`))
	if s == "" || s == "null" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return errors.New("not an item id")
	}
	*id = itemID(n)
	return nil
}
