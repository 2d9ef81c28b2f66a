package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"forecourt/app"
	"forecourt/internal/upkeep/retention"
)

type retentionCommand struct {
	retention.Limits `embed:""`
	DryRun           bool `help:"Print what would be deleted, but delete nothing."`
	asJSON
}

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

func (o retentionCommand) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		results, err := retention.Run(ctx, r.Pool, retention.Order{Limits: o.Limits, DryRun: o.DryRun, By: operator()})
		if results == nil {
			return err
		}
		// also print what was deleted before a failure
		err = errors.Join(err, printList(env, o.asJSON, results, "KIND\tKEPT FOR\tOLDER\tDELETED", func(r retention.Result) []string {
			return []string{r.Kind, r.Kept, strconv.FormatInt(r.Found, 10), strconv.FormatInt(r.Deleted, 10)}
		}))
		if o.DryRun && !o.JSON {
			fmt.Fprintln(env.stdout, "Nothing was deleted: this was a dry run.")
		}
		return err
	})
}
