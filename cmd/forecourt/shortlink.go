package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"forecourt/app"
	"forecourt/internal/kit/qr"
)

// qrWidth is the nominal width of a QR code's picture in pixels. The picture prints at any size.
const qrWidth = 512

type shortlinkCommand struct {
	Create createShortlink `cmd:"" help:"Make a short link and print its address."`
	List   listShortlinks  `cmd:"" help:"List all short links with their hits, oldest first."`
	Expire expireShortlink `cmd:"" help:"End a short link at once. Its code is never used again."`
}

type createShortlink struct {
	To      string `placeholder:"URL" help:"Where it leads: http(s)://…, or a /path of this site (required)."`
	Code    string `placeholder:"CODE" help:"Letters, digits, - and _; default: eight random ones."`
	Expires string `placeholder:"DAY" help:"Last day (UTC) or moment, such as 2027-01-31 or 2027-01-31T09:30:00Z; default: never."`
	SVG     string `name:"svg" placeholder:"FILE" help:"File to draw its QR code into."`
	asJSON
}

func (o createShortlink) Run(ctx context.Context, env environment) error {
	end, err := parseEnd(o.Expires)
	if err != nil {
		return wrong("--expires: %s", err)
	}
	return withRules(ctx, env, func(c config, r *app.Rules) error {
		made, err := r.Links.Create(ctx, o.Code, o.To, end)
		if err == nil && o.SVG != "" {
			err = drawShortlink(c, made, o.SVG)
		}
		if err != nil {
			return err
		}
		return o.print(env, map[string]string{"code": made, "address": c.shortURL(made)}, c.shortURL(made)+"\n")
	})
}

type shortlinkInfo struct {
	Code    string     `json:"code"`
	Address string     `json:"address"`
	URL     string     `json:"url"`
	Hits    int64      `json:"hits"`
	Expires *time.Time `json:"expires"`
	Expired bool       `json:"expired"`
	Created time.Time  `json:"created"`
}

type listShortlinks struct {
	SVG string `name:"svg" placeholder:"FOLDER" help:"Folder for the QR codes, CODE.svg for each link that has not expired."`
	asJSON
}

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
		return printList(env, o.asJSON, infos, "CODE\tHITS\tEXPIRES\tLEADS TO", func(info shortlinkInfo) []string {
			return []string{info.Code, strconv.FormatInt(info.Hits, 10), either(info.Expired, "expired ", "") + orNever(info.Expires), info.URL}
		})
	})
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

type expireShortlink struct {
	Code string `arg:"" help:"The last part of /s/CODE."`
}

func (o expireShortlink) Run(ctx context.Context, env environment) error {
	return withRules(ctx, env, func(_ config, r *app.Rules) error { return r.Links.Expire(ctx, o.Code) })
}

func (c config) shortURL(code string) string { return c.siteURL().JoinPath("s", code).String() }

func drawShortlink(c config, code, file string) error {
	picture, err := qr.New(c.shortURL(code))
	if err != nil {
		return err
	}
	return os.WriteFile(file, picture.SVG(qrWidth), 0o600)
}
