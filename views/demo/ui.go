package demo

import "forecourt/views/ui"

var tones = []ui.Tone{ui.Info, ui.Good, ui.Warning, ui.Bad}

var someFields = []ui.Field{
	{ID: "name", Name: "name", Label: "Name", Hint: "As it is on the card.", Value: "Pat Payer"},
	{ID: "amount", Name: "amount", Label: "Amount", InputMode: "decimal", Value: "12,50", Problem: "Enter an amount like 12.50."},
}

var someOptions = []ui.Option{{Value: "a", Label: "First", Hint: "With a hint.", Chosen: true}, {Value: "b", Label: "Second"}}
