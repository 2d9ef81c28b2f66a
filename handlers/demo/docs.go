package demo

import (
	"bytes"
	"cmp"
	"embed"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/run/push"
	view "forecourt/views/demo"
	"forecourt/views/ui"
)

//go:embed pages/*.md
var pageFiles embed.FS

// Documents shows the guides and technical documents at /docs, Markdown files in pages. Their samples use public as the site's address and
// hosted as the payment page. messages may be nil.
func Documents(public *url.URL, hosted Hosted, messages *push.Push) web.HandlerFunc {
	pages := readPages(public, hosted, messages)
	return func(w http.ResponseWriter, r *http.Request) error {
		page, ok := pages[chi.URLParam(r, "page")]
		if !ok {
			return fault.New(fault.NotFound, "no such document")
		}
		page.HTML = ui.Of(r.Context()).Unlinked(page.HTML)
		return web.Render(w, r, http.StatusOK, view.DocumentPage(page))
	}
}

// readPages reads every document of the navigation, by the last part of its address; "" is the first page.
func readPages(public *url.URL, hosted Hosted, messages *push.Push) map[string]view.Document {
	project, vapid := "PROJECT", "none"
	if messages != nil {
		project, vapid = messages.ProjectID(), messages.PublicKey()
	}
	account := "you get it from us, together with a secret and a publickey"
	if hosted.OwnMerchants {
		account = "it is on [your dashboard](/merchant/admin), with the secret and the publickey"
	}
	places := strings.NewReplacer(
		"{{origin}}", strings.TrimSuffix(public.String(), "/"), "{{hosted}}",
		hosted.URL, "{{checkout}}", hosted.Script, "{{jquery}}", hosted.JQuery,
		"{{project}}", project, "{{vapid}}", vapid, "{{account}}", account,
		"{{merchant}}", cmp.Or(hosted.MerchantID, "YOUR-MERCHANT-ID"), "{{publickey}}", cmp.Or(hosted.PublicKey, "YOUR-PUBLICKEY"),
	)
	pages := map[string]view.Document{}
	for _, entry := range view.Documents {
		name := strings.TrimPrefix(strings.TrimPrefix(entry.URL, "/docs"), "/")
		file := name
		if file == "" {
			file = "index"
		}
		source, err := pageFiles.ReadFile("pages/" + file + ".md")
		if err != nil {
			panic(err) // the file is built in
		}
		pages[name] = readPage(entry, []byte(places.Replace(string(source))))
	}
	return pages
}

func readPage(entry ui.Link, source []byte) view.Document {
	samples := &codeTabs{}
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(
			parser.WithAttribute(), parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(samples, 100)),
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(samples, 100))),
	)
	tree := markdown.Parser().Parse(text.NewReader(source))
	page := view.Document{Link: entry}
	if title, ok := tree.FirstChild().(*ast.Heading); ok && title.Level == 1 {
		page.Heading = headingText(title, source)
		tree.RemoveChild(tree, title) // the view draws it
	}
	for node := tree.FirstChild(); node != nil; node = node.NextSibling() {
		heading, ok := node.(*ast.Heading)
		if !ok || heading.Level != 2 {
			continue
		}
		id, _ := heading.AttributeString("id")
		name, _ := id.([]byte)
		page.Sections = append(page.Sections, ui.Link{Name: headingText(heading, source), URL: "#" + string(name)})
	}
	var html bytes.Buffer
	if err := markdown.Renderer().Render(&html, source, tree); err != nil {
		panic(err) // writing to memory does not fail
	}
	tables := strings.ReplaceAll(html.String(), "<table>", `<table class="rows">`)
	page.HTML = rowName.ReplaceAllString(tables, "<tr>\n<th scope=\"row\">$1</th>")
	return page
}

// rowName is the first cell of a row.
var rowName = regexp.MustCompile(`<tr>\n<td>(.*)</td>`)

// headingText returns the plain text of a heading.
func headingText(node ast.Node, source []byte) string {
	var all strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		if part, ok := child.(*ast.Text); ok {
			all.Write(part.Segment.Value(source))
		}
	}
	return all.String()
}
