package demo

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"forecourt/internal/kit/printable"
	view "forecourt/views/demo"
)

const (
	maxTables   = 200 // QR codes in one download
	maxTableLen = 64  // characters, as on an order
)

// choice says what a code is for: a table of a business, or every table from 1 to tables.
type choice struct {
	client, table string
	tables        string
}

// problems maps the fields of a choice to what is wrong with them, in words.
type problems map[string]string

// readChoice reads the choice of an address. A missing field has its default; a blank table means none.
func readChoice(query url.Values) choice {
	field := func(name, unset string) string {
		if !query.Has(name) {
			return unset
		}
		return strings.TrimSpace(query.Get(name))
	}
	return choice{client: field("client", businesses[0]), table: field("table", "1"), tables: field("tables", "12")}
}

// checkBadge checks what one code needs.
func (c choice) checkBadge() problems {
	found := c.checkClient()
	if !printable.Line(c.table, maxTableLen) {
		found["table"] = view.QRTableProblem(maxTableLen)
	}
	return found
}

// checkSheet checks what a sheet of codes needs.
func (c choice) checkSheet() problems {
	found := c.checkClient()
	if n, err := strconv.Atoi(c.tables); err != nil || n < 1 || n > maxTables {
		found["tables"] = view.QRTablesProblem(maxTables)
	}
	return found
}

func (c choice) checkClient() problems {
	found := problems{}
	if !slices.Contains(businesses, c.client) {
		found["client"] = view.QRClientProblem
	}
	return found
}

// sheet lists the tables of a checked sheet: "1", "2", …
func (c choice) sheet() []string {
	n, _ := strconv.Atoi(c.tables)
	tables := make([]string, n)
	for i := range tables {
		tables[i] = strconv.Itoa(i + 1)
	}
	return tables
}

// path is the address of a page with this choice.
func (c choice) path(page string) string {
	return page + "?" + url.Values{"client": {c.client}, "table": {c.table}, "tables": {c.tables}}.Encode()
}

// file is the address of the picture of a checked choice.
func (c choice) file(suffix string) string {
	return "/demo/qr/" + c.client + "." + suffix + "?" + url.Values{"table": {c.table}}.Encode()
}
