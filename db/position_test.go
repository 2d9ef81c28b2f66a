package db_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

// worksOut matches what view position answers: what a payment comes to, and how much of it was refunded.
var worksOut = regexp.MustCompile(`coalesce\(\w+\.captured_minor, \w+\.amount_minor\)|sum\(\w+\.amount_minor\)[^;]*?\.attempt_id IS NULL`)

// A page that works out for itself how a payment stands soon says something else than the others. Claiming and booking money lock the row
// that they read, and the list of payments searches attempts.
func TestOnlyThePositionSaysHowAPaymentStands(t *testing.T) {
	t.Parallel()
	may := strings.Fields("RefundClaim RefundImport RefundFromLedger DisputeSet CaseList TransactionCapture DeskPaymentList")
	files, err := filepath.Glob("queries/*.sql")
	check.Must(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check.Must(t, err)
		for _, query := range strings.Split(string(text), "-- name: ")[1:] {
			name, _, _ := strings.Cut(query, " ")
			if found := worksOut.FindString(query); found != "" && !slices.Contains(may, name) {
				t.Errorf("%s works out %q: take it from position", name, found)
			}
		}
	}
}
