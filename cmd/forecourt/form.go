package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"forecourt/internal/form"
	"forecourt/internal/mail"
	"forecourt/internal/printable"
	"forecourt/internal/review"
)

const formUsage = `Forms that were handed in:
  forecourt form list [--state submitted|returned|approved|declined|all] [--form ID] [--page N] [--json]
  forecourt form show REFERENCE [--json]
  forecourt form decide REFERENCE approved|returned|declined [--reason TEXT]
A form that is returned is open again for the person who sent it. The reason goes to that person; only an approval may lack one.`

// reviewForms does for operators what /staff/forms does for staff.
func reviewForms(ctx context.Context, env environment, args []string) error {
	words, rest := leading(args, 1)
	switch at(words, 0) {
	case "list":
		return listForms(ctx, env, rest)
	case "show":
		return showForm(ctx, env, rest)
	case "decide":
		return decideForm(ctx, env, rest)
	}
	if err := env.parse(flag.NewFlagSet("form", flag.ContinueOnError), args, formUsage); err != nil {
		return err
	}
	return env.wrong("form", "list, show or decide; see forecourt form --help")
}

func listForms(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("form list", flag.ContinueOnError)
	state := flags.String("state", "submitted", "`STATE`: submitted, returned, approved, declined or all")
	kind := flags.String("form", "", "only this `ID`: application, wptest, ddtest or testacc")
	page := flags.Int("page", 1, "page `N` of 25 forms each")
	asJSON := flags.Bool("json", false, "as JSON")
	if err := env.parse(flags, args, "Lists forms that were handed in, oldest first."); err != nil {
		return err
	}
	filter := form.Filter{State: form.State(*state), Kind: form.Kind(*kind), Page: *page}
	switch filter.State {
	case form.Submitted, form.Returned, form.Approved, form.Declined:
	case "all":
		filter.State = ""
	default:
		return env.wrong("form list", "--state is submitted, returned, approved, declined or all")
	}
	if *kind != "" && !filter.Kind.Known() {
		return env.wrong("form list", "--form is application, wptest, ddtest or testacc")
	}
	return withForms(ctx, env, func(forms *form.Forms) error {
		list, more, err := forms.Queue(ctx, filter)
		if err != nil {
			return err
		}
		if *asJSON {
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
			fmt.Fprintf(table, "There are more: --page %d\n", max(*page, 1)+1)
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

func showForm(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("form show", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "as JSON on one line")
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, "Shows a form with its answers and history: forecourt form show REFERENCE"); err != nil {
		return err
	}
	if len(words) == 0 {
		return env.wrong("form show", "which form? Its reference is like A-7KQ2-M9")
	}
	return withForms(ctx, env, func(forms *form.Forms) error {
		f, err := forms.Review(ctx, form.ParseReference(words[0]))
		if err != nil {
			return wordForm(err)
		}
		out := json.NewEncoder(env.stdout) // which escapes whatever could steer a terminal
		if !*asJSON {
			out.SetIndent("", "  ")
		}
		return out.Encode(shownForm{
			Reference: f.Reference, Form: f.Kind, State: f.State, Email: f.Email, SubmittedAt: f.SubmittedAt,
			DecidedBy: f.DecidedBy, Reason: f.Reason, Data: f.Data, History: f.History,
		})
	})
}

func decideForm(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("form decide", flag.ContinueOnError)
	reason := flags.String("reason", "", "why, in `TEXT` for the person who sent the form")
	words, rest := leading(args, 2)
	about := "Decides a form: forecourt form decide REFERENCE approved|returned|declined [--reason TEXT]"
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	d := form.Decision{Reference: form.ParseReference(at(words, 0)), State: form.State(at(words, 1)), Reason: *reason, By: operator()}
	if d.Reference == "" {
		return env.wrong("form decide", "which form? Its reference is like A-7KQ2-M9")
	}
	switch err := d.Check(); {
	case errors.Is(err, review.ErrNoDecision):
		return env.wrong("form decide", "the decision is approved, returned or declined")
	case errors.Is(err, review.ErrNoReason):
		return env.wrong("form decide", "--reason is required")
	case errors.Is(err, review.ErrLongReason):
		return env.wrong("form decide", "the reason has at most 2,000 letters")
	}
	return withForms(ctx, env, func(forms *form.Forms) error {
		f, err := forms.Review(ctx, d.Reference)
		if err != nil {
			return wordForm(err)
		}
		d.HandedIn = f.HandedIn
		if err := forms.Decide(ctx, d); err != nil {
			return wordForm(err)
		}
		_, err = fmt.Fprintf(env.stdout, "%s is %s now.\n", d.Reference, d.State)
		return err
	})
}

func wordForm(err error) error {
	switch {
	case errors.Is(err, form.ErrNoForm):
		return errors.New("no form has that reference")
	case errors.Is(err, review.ErrDecided):
		return errors.New("the form does not wait for a decision; see forecourt form show")
	}
	return err
}

// withForms opens what a command about forms needs and closes it again. The mails it orders are sent by the serving program.
func withForms(ctx context.Context, env environment, work func(*form.Forms) error) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.demo, c.beside = false, true
	d, err := openDatabase(ctx, c, slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError})), env.stderr)
	if err != nil {
		return err
	}
	queue, err := mail.NewQueue(d.pool)
	if err == nil {
		err = work(form.New(d.pool, queue))
	}
	return errors.Join(err, d.close(ctx))
}
