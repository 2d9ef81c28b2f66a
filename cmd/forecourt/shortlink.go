package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"forecourt/db"
	"forecourt/internal/qr"
	"forecourt/internal/shortlink"
)

// qrWidth is how wide the picture of a QR code says it is, in pixels; it prints at any size.
const qrWidth = 512

// shortlinks runs the commands about short links.
func shortlinks(ctx context.Context, env environment, args []string) error {
	return env.branch(ctx, "shortlink", "Keeps the short links /s/CODE.", args, []command{
		{"create", "shortlink create --to URL [--code CODE]", "make one", createShortlink},
		{"list", "shortlink list", "list them all with their hits", listShortlinks},
		{"expire", "shortlink expire CODE", "end one", expireShortlink},
	})
}

// createShortlink makes a short link and prints its address.
func createShortlink(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("shortlink create", flag.ContinueOnError)
	to := flags.String("to", "", "`URL` it leads to: http(s)://…, or a /path of this site")
	code := flags.String("code", "", "`CODE` of letters, digits, - and _ (default: eight random ones)")
	expires := flags.String("expires", "", "last `DAY` (UTC) or moment, such as 2027-01-31 or 2027-01-31T09:30:00Z (default: never)")
	svg := flags.String("svg", "", "`FILE` to draw its QR code into")
	asJSON := flags.Bool("json", false, "as JSON")
	if err := env.parse(flags, args, "Makes a short link and prints its address."); err != nil {
		return err
	}
	end, err := parseEnd(*expires)
	if err != nil {
		return env.wrong("shortlink create", "--expires: "+err.Error())
	}
	return withShortlinks(ctx, env, func(c config, links *shortlink.Links) error {
		made, err := links.Create(ctx, *code, *to, end)
		for refused, text := range map[error]string{
			shortlink.ErrTarget: "--to has to be http(s)://HOST… without a user name, or a /path of this site that is no short link",
			shortlink.ErrCode:   "--code has 1 to 64 letters, digits, - and _, a letter or digit first",
			shortlink.ErrExpiry: "--expires has to be in the future",
		} {
			if errors.Is(err, refused) {
				return env.wrong("shortlink create", text)
			}
		}
		if errors.Is(err, shortlink.ErrTaken) {
			return fmt.Errorf("the code %s is taken", made)
		}
		if err != nil {
			return err
		}
		if *svg != "" {
			if err := drawShortlink(c, made, *svg); err != nil {
				return err
			}
		}
		if *asJSON {
			return json.NewEncoder(env.stdout).Encode(map[string]string{"code": made, "address": c.shortURL(made)})
		}
		_, err = fmt.Fprintln(env.stdout, c.shortURL(made))
		return err
	})
}

// shortlinkInfo is a short link as list --json prints it.
type shortlinkInfo struct {
	Code    string     `json:"code"`
	Address string     `json:"address"`
	URL     string     `json:"url"`
	Hits    int64      `json:"hits"`
	Expires *time.Time `json:"expires"`
	Expired bool       `json:"expired"`
	Created time.Time  `json:"created"`
}

// listShortlinks lists every short link.
func listShortlinks(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("shortlink list", flag.ContinueOnError)
	svg := flags.String("svg", "", "`FOLDER` to draw the QR code of each link into that has not expired, as CODE.svg")
	asJSON := flags.Bool("json", false, "as JSON")
	if err := env.parse(flags, args, "Lists the short links, the oldest first."); err != nil {
		return err
	}
	return withShortlinks(ctx, env, func(c config, links *shortlink.Links) error {
		rows, err := links.List(ctx)
		if err != nil {
			return err
		}
		infos := make([]shortlinkInfo, len(rows))
		for i, row := range rows {
			infos[i] = shortlinkInfo{row.Code, c.shortURL(row.Code), row.Url, row.Hits, row.ExpiresAt, row.Expired, row.CreatedAt}
			if *svg == "" || row.Expired {
				continue
			}
			if err := drawShortlink(c, row.Code, filepath.Join(*svg, row.Code+".svg")); err != nil {
				return err
			}
		}
		if *asJSON {
			return json.NewEncoder(env.stdout).Encode(infos)
		}
		return printShortlinks(env, rows)
	})
}

func printShortlinks(env environment, rows []db.ShortlinkListRow) error {
	table := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CODE\tHITS\tEXPIRES\tLEADS TO")
	for _, row := range rows {
		expires := "never"
		if row.ExpiresAt != nil {
			expires = row.ExpiresAt.UTC().Format(time.RFC3339)
		}
		if row.Expired {
			expires = "expired " + expires
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", row.Code, row.Hits, expires, row.Url)
	}
	return table.Flush()
}

// expireShortlink ends a short link.
func expireShortlink(ctx context.Context, env environment, args []string) error {
	words, rest := leading(args, 1)
	about := "Ends a short link at once: forecourt shortlink expire CODE\nIts code is never given to another one."
	if err := env.parse(flag.NewFlagSet("shortlink expire", flag.ContinueOnError), rest, about); err != nil {
		return err
	}
	if len(words) == 0 {
		return env.wrong("shortlink expire", "which code?")
	}
	return withShortlinks(ctx, env, func(_ config, links *shortlink.Links) error {
		err := links.Expire(ctx, words[0])
		if errors.Is(err, shortlink.ErrUnknown) {
			return errors.New("there is no such short link")
		}
		return err
	})
}

func withShortlinks(ctx context.Context, env environment, work func(config, *shortlink.Links) error) error {
	return withDatabase(ctx, env, func(c config, d *database) error {
		return work(c, shortlink.New(d.pool, slog.New(slog.DiscardHandler)))
	})
}

func (c config) shortURL(code string) string { return c.siteURL().JoinPath("s", code).String() }

func drawShortlink(c config, code, file string) error {
	picture, err := qr.New(c.shortURL(code))
	if err != nil {
		return err
	}
	return os.WriteFile(file, picture.SVG(qrWidth), 0o600)
}
