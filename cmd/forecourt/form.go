package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"forecourt/app"
	"forecourt/internal/form"
	"forecourt/internal/form/formstore"
	"forecourt/internal/printable"
	"forecourt/internal/review"
)

// formCommand does for operators what /staff/forms does for staff.
type formCommand struct {
	List   listForms  `cmd:"" help:"List forms that were submitted, oldest first."`
	Show   showForm   `cmd:"" help:"Show a form with its answers and history."`
	Decide decideForm `cmd:"" help:"Decide a form. The sender can change a returned form and send it again."`
}

// listForms lists forms.
type listForms struct {
	State string `enum:"submitted,returned,approved,declined,all" default:"submitted" placeholder:"STATE" help:"${enum}; default ${default}."`
	Form  string `placeholder:"ID" help:"Only this one: application, wptest, ddtest or testacc."`
	Page  int    `default:"1" placeholder:"N" help:"Page of 25 forms each."`
	JSON  bool   `name:"json" help:"As JSON."`
}

// Run prints them.
func (o listForms) Run(ctx context.Context, env environment) error {
	filter := formstore.Filter{State: form.State(o.State), Kind: form.Kind(o.Form), Page: o.Page}
	if filter.State == "all" {
		filter.State = ""
	}
	if o.Form != "" && !filter.Kind.Known() {
		return env.wrong("--form is application, wptest, ddtest or testacc")
	}
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		list, more, err := r.Forms.Queue(ctx, filter)
		if err != nil {
			return err
		}
		if o.JSON {
			return json.NewEncoder(env.stdout).Encode(list)
		}
		if len(list) == 0 {
			_, err := fmt.Fprintln(env.stdout, "No forms.")
			return err
		}
		table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(table, "REFERENCE\tFORM\tSTATE\tNAME\tEMAIL\tSENT")
		for _, f := range list {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", f.Reference, f.Kind, f.State, printable.MakeLine(f.TradingName, 200), f.Email,
				f.SubmittedAt.UTC().Format(time.RFC3339))
		}
		if more {
			fmt.Fprintf(table, "There are more: --page %d\n", max(o.Page, 1)+1)
		}
		return table.Flush()
	})
}

// shownForm is a form as the command prints it.
type shownForm struct {
	Reference   string         `json:"reference"`
	Form        form.Kind      `json:"form"`
	State       form.State     `json:"state"`
	Email       string         `json:"email"`
	SubmittedAt time.Time      `json:"submittedAt"`
	DecidedBy   string         `json:"decidedBy,omitempty"`
	Reason      string         `json:"reason,omitempty"`
	Data        form.Data      `json:"data"`
	History     []review.Event `json:"history"`
}

// showForm shows a form.
type showForm struct {
	Reference string `arg:"" help:"Such as A-7KQ2-M9." missing:"which form? Its reference is like A-7KQ2-M9"`
	JSON      bool   `name:"json" help:"As JSON on one line."`
}

// Run prints it.
func (o showForm) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		f, err := r.Forms.Review(ctx, formstore.ParseReference(o.Reference))
		if err != nil {
			return wordForm(err)
		}
		out := json.NewEncoder(env.stdout) // it escapes everything that could control a terminal
		if !o.JSON {
			out.SetIndent("", "  ")
		}
		return out.Encode(shownForm{
			Reference: f.Reference, Form: f.Kind, State: f.State, Email: f.Email, SubmittedAt: f.SubmittedAt,
			DecidedBy: f.DecidedBy, Reason: f.Reason, Data: f.Data, History: f.History,
		})
	})
}

// decideForm decides a form.
type decideForm struct {
	Reference string `arg:"" help:"Such as A-7KQ2-M9." missing:"which form? Its reference is like A-7KQ2-M9"`
	Decision  string `arg:"" enum:"approved,returned,declined" help:"approved, returned or declined." missing:"the decision is approved, returned or declined"`
	Reason    string `placeholder:"TEXT" help:"Why, for the person who sent the form; only an approval may lack one."`
}

// Run decides it.
func (o decideForm) Run(ctx context.Context, env environment) error {
	d := formstore.Decision{Reference: formstore.ParseReference(o.Reference), State: form.State(o.Decision), Reason: o.Reason, By: operator()}
	switch err := d.Check(); {
	case errors.Is(err, review.ErrNoDecision):
		return env.wrong("the decision is approved, returned or declined")
	case errors.Is(err, review.ErrNoReason):
		return env.wrong("--reason is required")
	case errors.Is(err, review.ErrLongReason):
		return env.wrong("the reason has at most 2,000 letters")
	}
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		f, err := r.Forms.Review(ctx, d.Reference)
		if err != nil {
			return wordForm(err)
		}
		d.HandedIn = f.HandedIn
		if err := r.Forms.Decide(ctx, d); err != nil {
			return wordForm(err)
		}
		_, err = fmt.Fprintf(env.stdout, "%s is %s now.\n", d.Reference, d.State)
		return err
	})
}

func wordForm(err error) error {
	switch {
	case errors.Is(err, formstore.ErrNoForm):
		return errors.New("no form has that reference")
	case errors.Is(err, review.ErrDecided):
		return errors.New("the form does not wait for a decision; see forecourt form show")
	}
	return err
}
