package main

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"net/http"
	"net/url"

	"github.com/andybalholm/brotli"
)

const handWrittenPath = "/menu.html"

//go:embed static/menu.html.tmpl
var handWrittenHTML string

//go:embed static/menu.css
var handWrittenCSS []byte

//go:embed static/menu.js
var handWrittenJS []byte

// publicMenu is a menu as the API returns it.
type publicMenu struct {
	Name  string `json:"name"`
	Items []struct {
		ID          int64  `json:"id"`
		Name        string `json:"name"`
		Description string `json:"description"`
		Price       string `json:"price"`
		Image       string `json:"image"`
	} `json:"items"`
}

// handWritten returns the menu as it would be written by hand if it were the only page: the same items, texts and pictures in plain HTML,
// one small style sheet and one small script, all with the best brotli compression. It adds the pages that a React framework would send for the menu
// and for the order with this id.
func (c *customer) handWritten(ctx context.Context, id string) (map[string]answer, error) {
	var menu publicMenu
	if err := c.call(ctx, http.MethodGet, "/api/pos/panezski", nil, &menu); err != nil {
		return nil, err
	}
	html, err := drawn(handWrittenHTML, menu)
	if err != nil {
		return nil, err
	}
	var order publicOrder
	if err := c.call(ctx, http.MethodGet, "/api/pos/panezski/"+id, nil, &order); err != nil {
		return nil, err
	}
	answers, err := reactPages(menu, order)
	if err != nil {
		return nil, err
	}
	answers[handWrittenPath] = packed("text/html; charset=utf-8", html)
	answers["/menu.css"] = packed("text/css; charset=utf-8", handWrittenCSS)
	answers["/menu.js"] = packed("text/javascript; charset=utf-8", handWrittenJS)
	for _, item := range menu.Items {
		picture, err := url.Parse(item.Image)
		if err != nil {
			return nil, err
		}
		if answers[picture.Path], err = record(ctx, c.url+picture.Path); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

func drawn(page string, data any) ([]byte, error) {
	parsed, err := template.New("menu").Parse(page)
	if err != nil {
		return nil, err
	}
	var html bytes.Buffer
	err = parsed.Execute(&html, data)
	return html.Bytes(), err
}

func packed(contentType string, body []byte) answer {
	var small bytes.Buffer
	w := brotli.NewWriterLevel(&small, brotli.BestCompression)
	_, _ = w.Write(body) // writing to memory cannot fail
	_ = w.Close()
	return answer{Body: small.Bytes(), Header: http.Header{"Content-Type": {contentType}, "Content-Encoding": {"br"}}}
}
