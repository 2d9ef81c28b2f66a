package paylink_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"forecourt/internal/kit/check"
	"forecourt/internal/shop/paylink"
)

func TestReadCSV(t *testing.T) {
	t.Parallel()
	cake := []paylink.Row{
		{Amount: "12.50", Reference: "INV-1", Description: `Cake, "large"; with cream`},
		{Amount: "7", Currency: "GBP"},
	}
	const comma = "amount,reference,description,currency\r\n12.50,INV-1,\"Cake, \"\"large\"\"; with cream\",\r\n7,,,GBP\r\n"
	semicolon := strings.NewReplacer("amount,reference,description,currency", "amount;reference;description;currency",
		"12.50,INV-1,\"", "12.50;INV-1;\"", "\",\r", "\";\r", "7,,,GBP", "7;;;GBP").Replace(comma)
	for _, tt := range []struct {
		name, text string
		want       []paylink.Row
	}{
		{"commas and quotes", comma, cake},
		{"semicolons", semicolon, cake},
		{"tabs", "Amount\tREFERENCE\tdescription\tcurrency\n12.50\tINV-1\t\"Cake, \"\"large\"\"; with cream\"\t\n7\t\t\tGBP", cake},
		{"a byte order mark", "\ufeff" + comma, cake},
		{"UTF-16, as spreadsheets write Unicode text", wide(comma), cake},
		{"spaces around values and other columns", "colour, amount \nred, 12.50 \n", []paylink.Row{{Amount: "12.50"}}},
		{"what nobody sees, in names and values", "\u200bamount\u200b,currency\u00a0,expires\n12.50\u200b,\u2060AUD,\u20682027-01-31\u2069\n",
			[]paylink.Row{{Amount: "12.50", Currency: "AUD", Expires: "2027-01-31"}}},
		{"one column", "amount\n1\n2\n", []paylink.Row{{Amount: "1"}, {Amount: "2"}}},
		{"lines without values", "\namount,reference\n\n,\n1,a\n , \n", []paylink.Row{{Amount: "1", Reference: "a"}}},
		{"fewer values than columns", "amount,reference\n1\n", []paylink.Row{{Amount: "1"}}},
		{"a line break within quotes", "amount,description\n1,\"a\nb\"\n", []paylink.Row{{Amount: "1", Description: "a\nb"}}},
		{"more values than columns", "amount\n1\n2,3\n4\n", []paylink.Row{{Amount: "1"}, {Whole: "the row has more values than the first line has names; a value with a separator in it needs quotes"}, {Amount: "4"}}},
		{"quotes that do not end", "amount,reference\n1,a\n2,\"b\n3,c\n", []paylink.Row{{Amount: "1", Reference: "a"}, {Whole: "the quotes do not match, so this row and those below it cannot be read"}}},
		{"no rows", "amount\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := paylink.ReadCSV([]byte(tt.text))
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	for name, text := range map[string]string{
		"nothing": "", "no heading": "12.50,INV-1\n", "no amount": "reference\nINV-1\n", "a column twice": "amount,Amount\n1,2\n", "broken quotes": "\"amount",
	} {
		_, err := paylink.ReadCSV([]byte(text))
		check.ErrorIs(t, err, paylink.ErrHeading, "%s", name)
	}
}

func wide(text string) string {
	bytes := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		bytes = append(bytes, byte(unit), byte(unit>>8))
	}
	return string(bytes)
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []paylink.Row
	}{
		{"an object with the list", `{"transactions":[{"amount":"12.50","reference":"INV-1"}],"more":1}`, []paylink.Row{{Amount: "12.50", Reference: "INV-1"}}},
		{"the list alone", ` [{"amount":"1"}]`, []paylink.Row{{Amount: "1"}}},
		{"numbers, and other fields", `[{"amount":12.5,"reference":2041,"colour":{}}]`, []paylink.Row{{Amount: "12.5", Reference: "2041"}}},
		{"null means absent", `[{"amount":null,"currency":null}]`, []paylink.Row{{}}},
		{"values that are not rows", `[1,null,"x",[],{"amount":"1"}]`, []paylink.Row{{Whole: "a row has to be an object"}, {Whole: "a row has to be an object"}, {Whole: "a row has to be an object"}, {Whole: "a row has to be an object"}, {Amount: "1"}}},
		{"fields of the wrong type", `[{"amount":true,"currency":["AUD"],"expires":{}}]`, []paylink.Row{{Unread: []string{"amount", "currency", "expires"}}}},
		{"a field twice", `[{"amount":"1","Amount":"2"}]`, []paylink.Row{{Unread: []string{"amount"}}}},
		{"no rows", `[]`, []paylink.Row{}},
		{"no list", `{}`, []paylink.Row{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := paylink.ReadJSON([]byte(tt.text))
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	for _, text := range []string{"", " ", "null x", `"x"`, "1", `[{"amount":"1"}] []`, `{"transactions":1}`, "[{\"amount\":\"\xff\"}]", strings.Repeat("[", 20000)} {
		_, err := paylink.ReadJSON([]byte(text))
		check.ErrorIs(t, err, paylink.ErrJSON, "%.40q", text)
	}
}

// TestEndlessBatchesAreRefused reads rows of a few bytes each, which would take a hundred times as much memory.
func TestEndlessBatchesAreRefused(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func() ([]paylink.Row, error){
		"a list": func() ([]paylink.Row, error) {
			return paylink.ReadJSON([]byte("[" + strings.Repeat("0,", 1<<20) + "0]"))
		},
		"an object": func() ([]paylink.Row, error) {
			return paylink.ReadJSON([]byte(`{"transactions":[` + strings.Repeat("{},", 1<<20) + "{}]}"))
		},
		"columns": func() ([]paylink.Row, error) {
			return paylink.ReadCSV([]byte("amount" + strings.Repeat(",", 2<<20) + "\n"))
		},
		"cells": func() ([]paylink.Row, error) {
			return paylink.ReadCSV([]byte("amount\n" + strings.Repeat(";", 10) + strings.Repeat(",", 2<<20)))
		},
		"lines": func() ([]paylink.Row, error) {
			return paylink.ReadCSV([]byte("amount,x\n" + strings.Repeat(",\n", 2<<20)))
		},
	} {
		if rows, err := read(); !errors.Is(err, paylink.ErrTooMany) || rows != nil {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}
