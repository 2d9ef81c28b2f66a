package gateway

import (
	"fmt"
	"strings"
)

// AnswersTable prints how an answer with HTTP 200 is read, for every response type, status code, method and redirect, as a
// Markdown table.
func AnswersTable() string {
	var b strings.Builder
	b.WriteString("| responsetype | statuscode | card | card, unusable redirect | card, usable redirect | wallet " +
		"| wallet, unusable redirect | wallet, usable redirect |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, kind := range []string{"absent", "empty", "0", "1", "2", "3", "text"} {
		for _, code := range []string{"absent", "empty", "0", "1", "1A", "text"} {
			fmt.Fprintf(&b, "| %s | %s |", kind, code)
			for _, wallet := range []bool{false, true} {
				for _, redirect := range []string{"none", "unusable", "usable"} {
					a := ReadAnswer(200, sampleAnswer(kind, code, redirect), Want{Wallet: wallet})
					fmt.Fprintf(&b, " %s |", a.Outcome)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// sampleAnswer returns an answer with these values.
func sampleAnswer(kind, code, redirect string) []byte {
	field := func(name, value string) string {
		switch value {
		case "absent":
			return ""
		case "empty":
			value = ""
		}
		return fmt.Sprintf("%q:%q,", name, value)
	}
	address := map[string]string{"none": "", "unusable": "javascript:alert(1)", "usable": "https://bank.test/3ds"}[redirect]
	return fmt.Appendf(nil, `{"status":{%s%s"errordesc":""},"redirect":%q}`, field("responsetype", kind), field("statuscode", code), address)
}
