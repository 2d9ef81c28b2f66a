package legal_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/site/legal"
)

func TestTheDocuments(t *testing.T) {
	t.Parallel()
	p := legal.DefaultProvider()
	p.Name, p.Licence, p.SupportMail, p.UnitedKingdom.Fax = "Südpay", "424242", "hello@pay.example", ""
	for _, tt := range []struct {
		name string
		doc  legal.Document
		has  []string
	}{
		{"privacy policy (CHROME-04)", legal.Privacy(p), []string{"Südpay", "hello@pay.example", p.Australia.Phone}},
		{"terms and conditions (CHROME-05)", legal.Terms(p, "1.6% + 10¢ a payment"), []string{"What a merchant pays: 1.6% + 10¢ a payment.",
			"Südpay", "hello@pay.example", p.UnitedKingdom.Address}},
		{"financial services guide (CHROME-06)", legal.Guide(p, "1.6% + 10¢ a payment"), []string{"What a merchant pays: 1.6% + 10¢ a payment.",
			"Südpay", "hello@pay.example", "No. 424242"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			words := tt.doc.Summary
			var ids []string
			for _, s := range tt.doc.Sections {
				if s.ID == "" || s.Title == "" || len(s.Blocks) == 0 || slices.Contains(ids, s.ID) {
					t.Errorf("section %q (%q) is empty or a duplicate", s.ID, s.Title)
				}
				ids = append(ids, s.ID)
				for _, b := range s.Blocks {
					kinds := min(len(b.Text), 1) + min(len(b.List), 1) + min(len(b.Facts), 1)
					if b.Link != nil {
						kinds++
					}
					check.Equal(t, kinds, 1, "%s: a block has … kinds of content", s.ID)
					words += b.Text + strings.Join(b.List, " ")
					for _, f := range b.Facts {
						if f.Name == "" || f.Value == "" {
							t.Errorf("%s: an incomplete fact %+v", s.ID, f)
						}
						words += f.Value
					}
				}
			}
			for _, want := range tt.has {
				check.Contains(t, words, want, "the document lacks")
			}
			check.Lacks(t, words, "Forecourt", "the document names another provider")
		})
	}
}

func TestTheGuideAsPDF(t *testing.T) {
	t.Parallel()
	p := legal.DefaultProvider()
	file, err := legal.PDF(legal.Guide(p, "Nothing"), p)
	check.Must(t, err)
	if !bytes.HasPrefix(file, []byte("%PDF-1.")) || !bytes.Contains(file, []byte("%%EOF")) || len(file) < 4000 {
		t.Errorf("CHROME-06 these %d bytes are not a PDF", len(file))
	}
	again, err := legal.PDF(legal.Guide(p, "Nothing"), p)
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("the same guide gives different bytes: %v", err)
	}
	p.Licence = "424242"
	if other, err := legal.PDF(legal.Guide(p, "Nothing"), p); err != nil || bytes.Equal(file, other) {
		t.Errorf("another licence gives the same file: %v", err)
	}
}
