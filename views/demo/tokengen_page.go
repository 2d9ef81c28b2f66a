package demo

import "github.com/a-h/templ"

// check makes the page fetch its content as soon as it has loaded, where scripts run (TOKEN-02).
func checkToken(p Tokengen) templ.Attributes {
	if !p.Checking {
		return nil
	}
	return templ.Attributes{"data-checking": true, "hx-get": p.URL, "hx-trigger": "load", "hx-swap": "outerHTML"}
}

// sample is a call to copy; the token itself appears in only one place on the page.
func tokenCall(p Tokengen) string {
	return "curl " + p.BatchURL + " \\\n" +
		"  -H 'Authorization: Bearer YOUR-TOKEN' \\\n" +
		"  -H 'Content-Type: application/json' \\\n" +
		`  -d '{"transactions": [{"amount": "12.50", "reference": "INV-1"}]}'`
}
