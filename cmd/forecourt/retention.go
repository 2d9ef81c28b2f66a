package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"text/tabwriter"

	"forecourt/internal/retention"
)

const retentionUsage = `Deletes what has been kept for long enough, and says how much of each kind:
  drafts, onboarding  forms that were never handed in, and what somebody told on the way to a merchant that was never made
  images              pictures of licences: of people whom staff have not accepted, when nobody has touched them for so long. What
                      waits for staff stays while the record has an admin, what staff accepted stays unless --accepted is given
  sessions            those that timed out a day ago
  audit               whole months of the audit
0 keeps a kind for ever. Orders, payments, refunds and receipts stay. What was deleted is noted in the audit.`

// keep deletes what has been kept for long enough.
func keep(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("retention", flag.ContinueOnError)
	o := retention.Order{By: operator()}
	flags.IntVar(&o.Drafts, "drafts", 180, "keep drafts for `DAYS` after the last change")
	flags.IntVar(&o.Images, "images", 90, "keep images of people who are not accepted for `DAYS` after the last change")
	flags.IntVar(&o.Accepted, "accepted", 0, "keep images of accepted people for `DAYS` after the decision")
	flags.IntVar(&o.Audit, "audit", 0, "keep the audit for `MONTHS`, at least 12")
	flags.BoolVar(&o.DryRun, "dry-run", false, "say what would go, delete nothing")
	asJSON := flags.Bool("json", false, "as JSON")
	if err := env.parse(flags, args, retentionUsage); err != nil {
		return err
	}
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.demo, c.beside = false, true
	d, err := openDatabase(ctx, c, slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError})), env.stderr)
	if err != nil {
		return err
	}
	results, err := retention.Run(ctx, d.pool, o)
	if err = errors.Join(err, d.close(ctx)); errors.Is(err, retention.ErrLimits) {
		return env.wrong("retention", err.Error())
	}
	if results == nil {
		return err
	}
	return errors.Join(printRetention(env, results, o.DryRun, *asJSON), err) // what was deleted before something failed is told, too
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
