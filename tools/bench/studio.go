package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	studioItems  = 500
	studioGroups = 60
	studioSaves  = 60
	studioMenu   = "/desk/moollar/menu"
)

// editor is a browser without scripts that edits a menu.
type editor struct {
	client *http.Client
	url    string
}

// onStudio measures the menu studio on a newly started program.
func (b *bench) onStudio(ctx context.Context) (err error) {
	p, err := b.serve(ctx, "data")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	return b.studio(ctx, p)
}

// studio measures how long a save takes in a menu of the promised size, and how large its page is.
func (b *bench) studio(ctx context.Context, p *process) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	e := &editor{&http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, p.url}
	if _, err := e.post(ctx, "/signin", url.Values{"email": {"demo@forecourt.test"}, "password": {"Demo-pass-1"}}); err != nil {
		return err
	}
	if err := e.fill(ctx); err != nil {
		return err
	}
	page, err := e.send(ctx, http.MethodGet, studioMenu, "", nil)
	if err != nil {
		return err
	}
	item := regexp.MustCompile(`href="(` + studioMenu + `/item/\d+)"[^>]*>[^<]*Dish 250`).FindSubmatch(page)
	if item == nil {
		return errors.New("the imported menu has no dish 250")
	}
	saves, err := e.saves(ctx, string(item[1]))
	if err != nil {
		return err
	}
	b.section(fmt.Sprintf("Menu studio: %d items and %d option groups, one save after the other", studioItems, studioGroups))
	b.atMost("a save, median", median(saves), 100, milliseconds)
	b.atMost("size of the page, uncompressed", float64(len(page)), 300_000, octets)
	return nil
}

// fill puts the menu into the draft, from a file.
func (e *editor) fill(ctx context.Context) error {
	var sheet strings.Builder
	sheet.WriteString("category,name,price,allergens,option groups,choice of,choose\n")
	for g := range studioGroups {
		fmt.Fprintf(&sheet, ",Small,0,none,,Group %d,1\n,Large,1.00,milk,,Group %d,1\n", g, g)
	}
	for i := range studioItems {
		fmt.Fprintf(&sheet, "Category %d,Dish %d,12.50,none,Group %d,,\n", i/25, i, i%studioGroups)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "menu.csv")
	if err == nil {
		_, err = io.WriteString(file, sheet.String())
	}
	if err := errors.Join(err, form.WriteField("way", "replace"), form.Close()); err != nil {
		return err
	}
	compared, err := e.send(ctx, http.MethodPost, studioMenu+"/import", form.FormDataContentType(), &body)
	if err != nil {
		return err
	}
	_, err = e.post(ctx, studioMenu+"/import", url.Values{"document": {hidden(compared, "document")}, "revision": {hidden(compared, "revision")}})
	return err
}

// saves changes the price of an item again and again, and returns what each save took, in milliseconds.
func (e *editor) saves(ctx context.Context, path string) (taken []float64, err error) {
	page, err := e.send(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return nil, err
	}
	var was struct {
		Item     map[string]any `json:"item"`
		Category json.Number    `json:"category"`
	}
	if err := json.Unmarshal([]byte(hidden(page, "was")), &was); err != nil {
		return nil, err
	}
	for n := range studioSaves {
		seen, err := json.Marshal(was)
		if err != nil {
			return nil, err
		}
		price := 1300 + n
		form := url.Values{
			"was": {string(seen)}, "name": {"Dish 250"}, "priceMinor": {fmt.Sprintf("%d.%02d", price/100, price%100)}, "category": {was.Category.String()},
			"loc": {fmt.Sprint(was.Item["loc"])}, "available": {"on"}, "allergens": {"none"}, "do": {"save"},
		}
		for _, id := range was.Item["groups"].([]any) {
			form.Add("groups", strconv.FormatFloat(id.(float64), 'f', 0, 64))
		}
		start := time.Now()
		if _, err := e.post(ctx, path, form); err != nil {
			return nil, err
		}
		taken = append(taken, ms(time.Since(start)))
		was.Item["priceMinor"] = price
	}
	return taken, nil
}

// post sends a form and expects a redirect.
func (e *editor) post(ctx context.Context, path string, form url.Values) ([]byte, error) {
	return e.send(ctx, http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

func (e *editor) send(ctx context.Context, method, path, kind string, body io.Reader) (page []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, e.url+path, body)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := e.client.Do(req)
	if err != nil {
		return nil, err
	}
	page, err = io.ReadAll(res.Body)
	if res.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s answers %s", method, path, res.Status)
	}
	return page, errors.Join(err, res.Body.Close())
}

// hidden returns the value of a hidden field.
func hidden(page []byte, name string) string {
	_, rest, _ := strings.Cut(string(page), `name="`+name+`" value="`)
	value, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(value)
}
