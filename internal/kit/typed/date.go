package typed

import (
	"regexp"
	"time"
)

var dateSign = regexp.MustCompile(`\s*[-/.]\s*|\s+`)

// Date reads a day as people write it, the day first ("29/2/2000", "29.02.2000", "29 – 2 – 2000"), or as browsers send it, and returns
// it as "2000-02-29". Any other text comes back as it is, for the rule to refuse.
func Date(text string) string {
	for _, layout := range []string{"2006-1-2", "2-1-2006"} {
		if day, err := time.Parse(layout, dateSign.ReplaceAllString(Plain(text), "-")); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}
