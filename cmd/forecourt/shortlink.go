package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"forecourt/app"
	"forecourt/db"
	"forecourt/internal/qr"
	"forecourt/internal/shortlink"
)

// qrWidth is the nominal width of a QR code's picture in pixels. The picture prints at any size.
const qrWidth = 512

// shortlinkCommand manages short links.
type shortlinkCommand struct {
	Create createShortlink `cmd:"" help:"Make a short link and print its address."`
	List   listShortlinks  `cmd:"" help:"List all short links with their hits, oldest first."`
	Expire expireShortlink `cmd:"" help:"End a short link at once. Its code is never used again."`
}

// createShortlink makes a short link.
type createShortlink struct {
	To      string `placeholder:"URL" help:"Where it leads: http(s)://…, or a /path of this site (required)."`
	Code    string `placeholder:"CODE" help:"Letters, digits, - and _; default: eight random ones."`
	Expires string `placeholder:"DAY" help:"Last day (UTC) or moment, such as 2027-01-31 or 2027-01-31T09:30:00Z; default: never."`
	SVG     string `name:"svg" placeholder:"FILE" help:"File to draw its QR code into."`
	JSON    bool   `name:"json" help:"As JSON."`
}

// Run makes it.
func (o createShortlink) Run(ctx context.Context, env environment) error {
	end, err := parseEnd(o.Expires)
	if err != nil {
		return env.wrong("--expires: " + err.Error())
	}
	return withRules(ctx, env, func(c config, r *app.Rules) error {
		made, err := r.Links.Create(ctx, o.Code, o.To, end)
		for refused, text := range map[error]string{
			shortlink.ErrTarget: "--to has to be http(s)://HOST… without a user name, or a /path of this site that is not a short link",
			shortlink.ErrCode:   "--code has 1 to 64 letters, digits, - and _, a letter or digit first",
			shortlink.ErrExpiry: "--expires has to be in the future",
		} {
			if errors.Is(err, refused) {
				return env.wrong(text)
			}
		}
		if errors.Is(err, shortlink.ErrTaken) {
			return fmt.Errorf("the code %s is taken", made)
		}
		if err != nil {
			return err
		}
		if o.SVG != "" {
			if err := drawShortlink(c, made, o.SVG); err != nil {
				return err
			}
		}
		if o.JSON {
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
type listShortlinks struct {
	SVG  string `name:"svg" placeholder:"FOLDER" help:"Folder for the QR codes, CODE.svg for each link that has not expired."`
	JSON bool   `name:"json" help:"As JSON."`
}

// Run prints them.
func (o listShortlinks) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(c config, r *app.Rules) error {
		rows, err := r.Links.List(ctx)
		if err != nil {
			return err
		}
		infos := make([]shortlinkInfo, len(rows))
		for i, row := range rows {
			infos[i] = shortlinkInfo{row.Code, c.shortURL(row.Code), row.Url, row.Hits, row.ExpiresAt, row.Expired, row.CreatedAt}
			if o.SVG == "" || row.Expired {
				continue
			}
			if err := drawShortlink(c, row.Code, filepath.Join(o.SVG, row.Code+".svg")); err != nil {
				return err
			}
		}
		if o.JSON {
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

// parseEnd reads the time when a short link ends. A day means its end in UTC, because a short link belongs to no business. An empty text
// means never.
func parseEnd(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := parseMoment(s)
	if _, notDay := time.Parse(time.DateOnly, s); err == nil && notDay == nil {
		t = t.AddDate(0, 0, 1).Add(-time.Second)
	}
	return t, err
}

// expireShortlink ends a short link.
type expireShortlink struct {
	Code string `arg:"" help:"The last part of /s/CODE." missing:"which code?"`
}

// Run ends it.
func (o expireShortlink) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error {
		err := r.Links.Expire(ctx, o.Code)
		if errors.Is(err, shortlink.ErrUnknown) {
			return errors.New("there is no such short link")
		}
		return err
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
