package demo

import (
	"strings"

	"forecourt/views/props"
	"forecourt/views/ui"
)

// Bridge is the demo of a payment at a card terminal.
type Bridge struct {
	Page    Page
	Service string // origin of the terminal service that the browser calls
	Amount  string // "5.00"
	Sent    bool   // the form was sent here, before the page's scripts had arrived
}

func (b Bridge) amountField() ui.Field {
	return ui.Field{
		ID: "amount", Name: "amount", Label: "Amount in AUD", Value: b.Amount, InputMode: "decimal", Autocomplete: "off",
		EnterKeyHint: "go", Required: true,
	}
}

func (b Bridge) props() props.Bridge {
	return props.Bridge{Service: b.Service}
}

// command is the command line that starts the terminal service where the page looks for it.
func (b Bridge) command() string {
	_, address, _ := strings.Cut(b.Service, "://")
	if address == "localhost:3015" {
		return "bin/forecourt bridge"
	}
	return "bin/forecourt bridge --addr " + address
}

// outcome is the simulated terminal's answer to an amount.
type outcome struct{ amount, result string }

var outcomes = []outcome{
	{"5.00", "approved"}, {"5.05", "declined"}, {"5.08", "timeout"},
}
