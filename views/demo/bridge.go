package demo

import (
	"strings"

	"forecourt/internal/onboarding/merchant"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// Bridge is the demo of a payment at a card terminal.
type Bridge struct {
	Page    Page
	Service string // origin of the terminal service that the browser calls
	Site    string // origin of this site
	Amount  string // "5.00", or as it was typed
	Problem string // what is wrong with it
	Sent    bool   // the form was sent here, before the page's scripts had arrived

	Downloads []Download // the terminal service for the visitor's computer, if this site has it
}

// Download is the terminal service for one system.
type Download struct{ System, File string }

// Downloads lists the systems that make dist builds the terminal service for.
var Downloads = []Download{
	{"Windows", "windows-amd64.exe"}, {"macOS", "macos-arm64"}, {"macOS on Intel", "macos-amd64"}, {"Linux", "linux-amd64"},
}

// ProgramName is the name that a downloaded file has on the visitor's computer: "forecourt-terminal-linux-amd64".
func ProgramName(provider, file string) string {
	return strings.TrimPrefix(merchant.ShortCode(provider)+"-terminal-"+file, "-")
}

func (b Bridge) amountField() ui.Field {
	return ui.Field{
		ID: "amount", Name: "amount", Label: "Amount in AUD", Value: b.Amount, Problem: b.Problem, InputMode: "decimal", Autocomplete: "off",
		EnterKeyHint: "go", Required: true,
	}
}

func (b Bridge) props() props.Bridge {
	return props.Bridge{Service: b.Service}
}

// command is the command line that starts the terminal service where the page looks for it.
func (b Bridge) command(c ui.Chrome) string {
	command := "bin/forecourt bridge"
	if c.Live {
		command = "./" + ProgramName(c.Provider.Name, "linux-amd64") + " --origin " + b.Site
	}
	if _, address, _ := strings.Cut(b.Service, "://"); address != "localhost:3015" {
		command += " --addr " + address
	}
	return command
}

// outcome is the simulated terminal's answer to an amount.
type outcome struct{ amount, result string }

var outcomes = []outcome{
	{"5.00", "approved"}, {"5.05", "declined"}, {"5.08", "timeout"},
}
