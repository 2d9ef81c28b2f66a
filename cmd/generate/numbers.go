package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// numbered are the folders whose numbers are listed.
var numbered = []string{"app", "bridge", "cmd/forecourt", "db", "handlers", "internal", "letters", "views"}

// numbersTable lists the constants of the program that are numbers, with their comments, a row for each: what is tuned, and where.
func numbersTable(source fs.FS, folders []string) (string, error) {
	var table strings.Builder
	table.WriteString("| number | is | where |\n|---|---|---|\n")
	for _, folder := range folders {
		err := fs.WalkDir(source, folder, func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && strings.HasSuffix(file, "test") { // packages that only tests use
				return fs.SkipDir
			}
			if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return nil
			}
			text, err := fs.ReadFile(source, file)
			if err != nil || bytes.HasPrefix(text, []byte("// Code generated ")) {
				return err
			}
			return numbersOf(&table, file, text)
		})
		if err != nil {
			return "", err
		}
	}
	return table.String(), nil
}

// numbersOf writes the rows of a file.
func numbersOf(table *strings.Builder, file string, text []byte) error {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, decl := range parsed.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			c := spec.(*ast.ValueSpec)
			for i, value := range c.Values {
				if !isNumber(value) {
					continue
				}
				var shown strings.Builder
				if err := printer.Fprint(&shown, files, value); err != nil {
					return err
				}
				fmt.Fprintf(table, "| `%s` = %s | %s | `%s` |\n", c.Names[i].Name, shown.String(), commentOf(group, c), file)
			}
		}
	}
	return nil
}

// isNumber reports whether an expression consists of numbers and units of time.
func isNumber(value ast.Expr) bool {
	switch v := value.(type) {
	case *ast.BasicLit:
		return v.Kind == token.INT || v.Kind == token.FLOAT
	case *ast.BinaryExpr:
		return isNumber(v.X) && isNumber(v.Y)
	case *ast.ParenExpr:
		return isNumber(v.X)
	case *ast.SelectorExpr:
		from, ok := v.X.(*ast.Ident)
		return ok && from.Name == "time" && slices.Contains([]string{"Millisecond", "Second", "Minute", "Hour"}, v.Sel.Name)
	}
	return false
}

// mutation matches the mark of a mistake that a test has to notice.
var mutation = regexp.MustCompile(`mutant: .*`)

// commentOf returns the comment of a constant, or of its group, as a cell of a table.
func commentOf(group *ast.GenDecl, c *ast.ValueSpec) string {
	for _, comment := range []*ast.CommentGroup{c.Doc, c.Comment, group.Doc} {
		if text := strings.Join(strings.Fields(mutation.ReplaceAllString(comment.Text(), "")), " "); text != "" {
			return strings.ReplaceAll(text, "|", `\|`)
		}
	}
	return ""
}
