package demo

import (
	"html"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// codeTabs draws consecutive blocks of code as one, with a tab for each language. count numbers these groups on a page.
type codeTabs struct{ count int }

// tabGroup is a run of code blocks.
type tabGroup struct{ ast.BaseBlock }

var kindTabGroup = ast.NewNodeKind("Samples")

// Kind implements ast.Node.
func (*tabGroup) Kind() ast.NodeKind { return kindTabGroup }

// Dump implements ast.Node.
func (g *tabGroup) Dump(source []byte, level int) { ast.DumpHelper(g, source, level, nil, nil) }

// Transform implements parser.ASTTransformer: it puts each run of code blocks into a group.
func (s *codeTabs) Transform(tree *ast.Document, _ text.Reader, _ parser.Context) {
	var run *tabGroup
	for node := tree.FirstChild(); node != nil; {
		next := node.NextSibling()
		if _, ok := node.(*ast.FencedCodeBlock); !ok {
			run = nil
		} else {
			if run == nil {
				run = &tabGroup{}
				tree.InsertBefore(tree, node, run)
			}
			run.AppendChild(run, node)
		}
		node = next
	}
}

// RegisterFuncs implements renderer.NodeRenderer.
func (s *codeTabs) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindTabGroup, s.draw)
}

// tabNames maps languages to the names on their tabs.
var tabNames = map[string]string{
	"shell": "Shell", "go": "Go", "php": "PHP", "javascript": "Node", "python": "Python", "json": "JSON", "html": "HTML", "csv": "CSV",
	"text": "Text",
}

// draw writes a group: a radio button and a label for each language, then the code of each. Style shows the one chosen.
func (s *codeTabs) draw(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	s.count++
	id := "sample-" + strconv.Itoa(s.count)
	var tabs, panels strings.Builder
	for i, block := 0, node.FirstChild(); block != nil; i, block = i+1, block.NextSibling() {
		code := block.(*ast.FencedCodeBlock)
		one := id + "-" + strconv.Itoa(i)
		name := tabNames[string(code.Language(source))]
		if node.ChildCount() == 1 {
			tabs.WriteString(`<span class="only">` + name + `</span>`)
		} else {
			checked := ""
			if i == 0 {
				checked = " checked"
			}
			tabs.WriteString(
				`<input type="radio" name="` + id + `" id="tab-` + one + `"` + checked + `><label for="tab-` + one + `">` + name + `</label>`,
			)
		}
		panels.WriteString(`<div class="panel"><button class="button quiet small" type="button" hidden data-copy="#` + one +
			`" data-copied="Copied" aria-label="Copy ` + name + `">Copy</button><pre tabindex="0"><code id="` + one + `">` +
			html.EscapeString(strings.TrimRight(string(code.Lines().Value(source)), "\n")) + `</code></pre></div>`)
	}
	_, err := w.WriteString(`<div class="code-tabs">` + tabs.String() + panels.String() + "</div>\n")
	return ast.WalkSkipChildren, err
}
