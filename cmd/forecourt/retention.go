package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"

	"forecourt/internal/retention"
)

// retentionCommand deletes data that has been kept long enough.
type retentionCommand struct {
	Drafts   int  `default:"180" placeholder:"DAYS" help:"Keep drafts for this long after the last change, default ${default}."`
	Images   int  `default:"90" placeholder:"DAYS" help:"Keep images of people not accepted for this long after a change, default ${default}."`
	Accepted int  `placeholder:"DAYS" help:"Keep images of accepted people for this long after the decision; default: they stay."`
	Pictures int  `default:"90" placeholder:"DAYS" help:"Keep pictures that no menu or logo shows any more for this long, default ${default}."`
	Menus    int  `default:"365" placeholder:"DAYS" help:"Keep a replaced version of a menu for this long, at least 365, default ${default}."`
	Audit    int  `placeholder:"MONTHS" help:"Keep the audit log for this long, at least 12; default: it stays."`
	DryRun   bool `help:"Print what would be deleted, but delete nothing."`
	JSON     bool `name:"json" help:"As JSON."`
}

// Help names the kinds.
func (retentionCommand) Help() string {
	return `It says how much of each kind:

  drafts, onboarding  forms that were never handed in, and answers on the way to a merchant
                      that was never made
  images              pictures of licences: of people whom staff have not accepted, when
                      nobody has touched them for so long. What waits for staff stays while
                      the record has an admin, what staff accepted stays unless --accepted
                      is given
  pictures            of businesses: those that no item and no logo has shown for so long,
                      counted from the first run that noticed
  menus               versions of menus that others replaced so long ago; what guests
                      see and the 20 latest of each business stay
  sessions            those that timed out a day ago
  audit               whole months of the audit log

0 keeps a kind forever. Orders, payments, refunds and receipts stay. What was deleted is noted in the audit log.`
}

// Run deletes.
func (o retentionCommand) Run(ctx context.Context, env environment) error {
	var results []retention.Result
	err := withDatabase(ctx, env, func(_ config, d *database) (err error) {
		results, err = retention.Run(ctx, d.pool, retention.Order{
			Limits: retention.Limits{Drafts: o.Drafts, Images: o.Images, Accepted: o.Accepted, Pictures: o.Pictures, Menus: o.Menus, Audit: o.Audit},
			DryRun: o.DryRun, By: operator(),
		})
		return err
	})
	if errors.Is(err, retention.ErrLimits) {
		return env.wrong(err.Error())
	}
	if results == nil {
		return err
	}
	return errors.Join(printRetention(env, results, o.DryRun, o.JSON), err) // also print what was deleted before a failure
}

func printRetention(env environment, results []retention.Result, dryRun, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(results)
	}
	table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "KIND\tKEPT FOR\tOLDER\tDELETED")
	for _, r := range results {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\n", r.Kind, r.Kept, r.Found, r.Deleted)
	}
	if dryRun {
		fmt.Fprintln(table, "Nothing was deleted: this was a dry run.")
	}
	return table.Flush()
}
