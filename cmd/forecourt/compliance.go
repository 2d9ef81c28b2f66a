package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"forecourt/app"
	"forecourt/db/state"
	"forecourt/internal/compliance"
	"forecourt/internal/demo"
	"forecourt/internal/fault"
)

// complianceCommand makes and shows compliance records.
type complianceCommand struct {
	Create createRecord `cmd:"" help:"Make a record of what a merchant has to sign and tell, and print its address."`
	Link   linkRecord   `cmd:"" help:"Set the business of a record that names none."`
	Show   showRecord   `cmd:"" help:"Show the state of a record. It prints no details of people: staff see those at /staff/compliance, where each look is recorded."`
}

// createRecord makes a record.
type createRecord struct {
	ID     string   `name:"id" placeholder:"ID" help:"In the address: letters, digits, - and _; a random one when not given."`
	Name   string   `required:"" placeholder:"BUSINESS" help:"Business that the record is about."`
	Client string   `placeholder:"CODE" help:"Code of the business that the record is for. A person who leaves its team loses access."`
	Admin  []string `required:"" sep:"none" placeholder:"EMAIL" help:"Account that may see the record; may be given more than once."`
	Person []string `required:"" sep:"none" placeholder:"NAME:PARTS" help:"A person to ask; may be given more than once. A part is address, licence or dob; the name alone asks for all three."`
	JSON   bool     `name:"json" help:"As JSON."`
}

// Run makes it.
func (o createRecord) Run(ctx context.Context, env environment) error {
	n := compliance.NewRecord{ID: o.ID, Business: o.Name, Client: o.Client, Admins: o.Admin}
	for _, text := range o.Person {
		asked, err := parsePerson(text)
		if err != nil {
			return env.wrong("--person: " + err.Error())
		}
		n.People = append(n.People, asked)
	}
	if n.ID != "" && !compliance.ID(n.ID) {
		return env.wrong("--id is of letters, digits, - and _, at most 63")
	}
	return withRules(ctx, env, func(c config, rules *app.Rules) error {
		id, err := rules.Compliance.Create(ctx, n)
		var nobody *compliance.NoAccountError
		switch {
		case errors.Is(err, compliance.ErrTaken):
			return fmt.Errorf("there is a record %s already", n.ID)
		case errors.Is(err, compliance.ErrNoShop):
			return fmt.Errorf("there is no business %q", o.Client)
		case errors.As(err, &nobody):
			return nobody
		case err != nil:
			return err
		}
		if o.JSON {
			return json.NewEncoder(env.stdout).Encode(map[string]string{"id": id, "url": recordURL(c, id)})
		}
		_, err = fmt.Fprintln(env.stdout, recordURL(c, id))
		return err
	})
}

// linkRecord says which business a record is for.
type linkRecord struct {
	ID     string `arg:"" name:"id" help:"In the address." missing:"which record?"`
	Client string `required:"" placeholder:"CODE" help:"Code of the business that the record is for."`
}

// Run sets the business of the record.
func (o linkRecord) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, rules *app.Rules) error {
		err := rules.Compliance.Link(ctx, o.ID, o.Client)
		switch {
		case errors.Is(err, compliance.ErrMissing):
			return fmt.Errorf("there is no record %q", o.ID)
		case errors.Is(err, compliance.ErrNoShop):
			return fmt.Errorf("there is no business %q", o.Client)
		}
		return err
	})
}

// parsePerson reads "Name:address,licence,dob".
func parsePerson(text string) (compliance.Asked, error) {
	name, list, some := strings.Cut(text, ":")
	asked := compliance.Asked{Name: strings.TrimSpace(name)}
	all := []compliance.Part{compliance.AddressPart, compliance.LicencePart, compliance.DobPart}
	if asked.Name == "" {
		return asked, errors.New("it has no name")
	}
	if !some {
		asked.Required = all
		return asked, nil
	}
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(all, compliance.Part(word)) {
			return asked, fmt.Errorf("%q is neither address nor licence nor dob", word)
		}
		if !slices.Contains(asked.Required, compliance.Part(word)) {
			asked.Required = append(asked.Required, compliance.Part(word))
		}
	}
	if len(asked.Required) == 0 {
		return asked, errors.New("nothing is asked: address, licence or dob")
	}
	return asked, nil
}

// shownRecord is a record as the command prints it.
type shownRecord struct {
	ID       string        `json:"id"`
	URL      string        `json:"url"`
	Business string        `json:"name"`
	Client   string        `json:"client,omitempty"`
	Admins   []string      `json:"admins"`
	DDRSA    *shownSigning `json:"ddrsa"`
	People   []shownPerson `json:"people"`
}

type shownSigning struct {
	Name     string `json:"name"`
	SignedBy string `json:"signedBy"`
	Signed   string `json:"signed"`
	Version  string `json:"version"`
	TextHash string `json:"textSha256"`
}

type shownPerson struct {
	Name     string            `json:"name"`
	Required []compliance.Part `json:"required"`
	State    state.Person      `json:"state"`
	Complete bool              `json:"complete"`
	Lacking  []compliance.Part `json:"lacking"`
}

// showRecord shows a record.
type showRecord struct {
	ID   string `arg:"" name:"id" help:"In the address." missing:"which record?"`
	JSON bool   `name:"json" help:"As JSON on one line."`
}

// Run prints it.
func (o showRecord) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(c config, rules *app.Rules) error {
		r, err := rules.Compliance.Look(ctx, o.ID)
		if errors.Is(err, compliance.ErrMissing) {
			return fmt.Errorf("there is no record %q", o.ID)
		}
		if err != nil {
			return err
		}
		shown := shownRecord{ID: r.ID, URL: recordURL(c, r.ID), Business: r.Business, Client: r.Client, People: []shownPerson{}}
		if shown.Admins, err = rules.Compliance.Admins(ctx, r.ID); err != nil {
			return err
		}
		if s := r.Signature; s != nil {
			shown.DDRSA = &shownSigning{s.Account.Name, s.Signer, s.At.UTC().Format("2006-01-02T15:04:05Z"), s.Version, s.TextHash}
		}
		for _, p := range r.People {
			shown.People = append(shown.People, shownPerson{p.Name, p.Required, p.State, p.Complete(), p.Lacking()})
		}
		out := json.NewEncoder(env.stdout) // it escapes everything that could control a terminal
		if !o.JSON {
			out.SetIndent("", "  ")
		}
		return out.Encode(shown)
	})
}

// recordURL returns the link to a record.
func recordURL(c config, id string) string { return c.siteURL().JoinPath("compliance", id).String() }

// loadDemoRecord makes the demo's record unless it exists. Its details are sealed, so it cannot come with the other demo data.
func loadDemoRecord(ctx context.Context, records *compliance.Records) error {
	_, err := records.Create(ctx, compliance.NewRecord{
		Quiet: true,
		ID:    demo.ComplianceRecord, Business: "Panezski Bakery Café Pty Ltd", Client: demo.Client, Admins: []string{demo.Email},
		People: []compliance.Asked{
			{Name: "Alex Panezski", Required: []compliance.Part{compliance.AddressPart, compliance.LicencePart, compliance.DobPart}},
			{Name: "Robin Okafor", Required: []compliance.Part{compliance.AddressPart, compliance.DobPart}},
		},
	})
	if fault.CodeOf(err) == fault.Conflict {
		return nil
	}
	return err
}
