package receipt

import (
	"fmt"
	"net/http"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/kit/clock"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/books"
	"forecourt/views/desk"
	view "forecourt/views/receipt"
)

// mostClosing is the size of the largest file of a closing, in bytes.
const mostClosing = 64 << 10

// CheckClosing answers POST /receipt/verify with the file of a closing, uploaded or pasted, or with a code.
func (h *Handler) CheckClosing(w http.ResponseWriter, r *http.Request) error {
	u, err := web.ParseUpload(w, r, mostClosing)
	if err != nil {
		return err
	}
	text := u.Values.Get("text")
	if file := u.Files["file"]; len(file) > 0 {
		text = string(file)
	}
	if trimmed := strings.TrimSpace(text); trimmed != "" && trimmed[0] != '{' {
		return h.check(w, r, text)
	}
	c, err := books.ReadClosingFile([]byte(text))
	if err != nil || u.Cut || u.Large["file"] {
		page := checkPage()
		page.File.Problem, page.File.Value = view.UnreadableFile, text
		return web.Render(w, r, http.StatusUnprocessableEntity, view.CheckPage(page))
	}
	return h.answerClosing(w, r, c, receipt.Signed{Text: c.Text(), Signature: c.Signature})
}

// answerClosing says what a closing states and whether its signature is valid.
func (h *Handler) answerClosing(w http.ResponseWriter, r *http.Request, c books.Closing, signed receipt.Signed) error {
	holds, err := h.receipts.HoldsStored(r.Context(), signed)
	if err != nil {
		return err
	}
	page := checkPage()
	page.Frame.Title = "End of day checked"
	page.Result = &view.Result{Closing: true, Holds: holds, Test: c.TestMode, Facts: []view.Fact{
		{Name: "Business", Value: c.Business}, {Name: "ABN", Value: c.Abn}, {Name: "End of day", Value: "No. " + c.Name()},
		{Name: "Day", Value: desk.ClosingDay(c)}, {Name: "From", Value: clock.Exact(c.Since, c.Since.Location())},
		{Name: "To", Value: clock.Exact(c.UntilAt, c.Since.Location())},
	}}
	if c.Abn == "" {
		page.Result.Facts[1].Value = "none"
	}
	for _, row := range desk.TotalRows(c.Totals) {
		c := desk.TotalCells(row)
		page.Result.Facts = append(page.Result.Facts, view.Fact{
			Name:  desk.TotalName(row),
			Value: fmt.Sprintf("%s paid, %s (GST %s); %s refunded, %s (GST %s); left %s", c[0], c[1], c[2], c[3], c[4], c[5], c[6]),
		})
	}
	for _, text := range desk.Beside(c.Totals, nil) {
		page.Result.Facts = append(page.Result.Facts, view.Fact{Name: "Beside these", Value: text})
	}
	if len(c.Totals) == 0 {
		page.Result.Facts = append(page.Result.Facts, view.Fact{Name: "Totals", Value: "nothing moved"})
	}
	return web.Render(w, r, http.StatusOK, view.CheckPage(page))
}
