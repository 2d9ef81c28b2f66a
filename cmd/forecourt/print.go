package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// asJSON is the flag of commands that can print JSON for other programs.
type asJSON struct {
	JSON bool `name:"json" help:"As JSON."`
}

// print prints a value as JSON if that was asked for, and else a text.
func (o asJSON) print(env environment, value any, text string) error {
	if o.JSON {
		return json.NewEncoder(env.stdout).Encode(value)
	}
	_, err := fmt.Fprint(env.stdout, text)
	return err
}

// printList prints a list as JSON if that was asked for, and else as a table. Tabs separate the cells of its head.
func printList[T any](env environment, o asJSON, list []T, head string, line func(T) []string) error {
	if o.JSON {
		return json.NewEncoder(env.stdout).Encode(append([]T{}, list...)) // [], not null
	}
	table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, head)
	for _, entry := range list {
		fmt.Fprintln(table, strings.Join(line(entry), "\t"))
	}
	return table.Flush()
}

func inUTC(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// orNever is inUTC for a time that may not have come.
func orNever(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return inUTC(*t)
}

// parseMoment reads a day, a time, or a time as psql prints it.
func parseMoment(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly, "2006-01-02 15:04:05Z07", "2006-01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither a day like 2025-01-31 nor a time like 2025-01-31T09:30:00Z", s)
}
