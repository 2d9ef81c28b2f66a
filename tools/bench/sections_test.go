package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAFailedSectionIsTriedAgainAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	hiccup := errors.New("NO_NAVSTART")
	for _, tt := range []struct {
		name   string
		fails  int // how many times the second of three sections fails
		tried  []string
		says   []string
		failed bool
	}{
		{"nothing fails", 0, []string{"starts", "pages", "floods"}, nil, false},
		{"a hiccup is tried once more", 1, []string{"starts", "pages", "pages", "floods"}, []string{"pages failed and will be tried once more: NO_NAVSTART"}, false},
		{"a section that fails twice is reported", 2, []string{"starts", "pages", "pages", "floods"}, []string{"pages FAILED: NO_NAVSTART"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			b := &bench{report: &report{out: &out}, folder: t.TempDir()}
			var tried []string
			fails := tt.fails
			measure := func(name string) section {
				return section{name, func(b *bench, _ context.Context) error {
					tried = append(tried, name)
					data := filepath.Join(b.folder, "data")
					if err := os.Mkdir(data, 0o700); err != nil {
						t.Errorf("%s finds the data of an earlier try: %v", name, err)
					}
					if name == "pages" && fails > 0 {
						fails--
						return hiccup
					}
					return nil
				}}
			}
			err := b.each(t.Context(), measure("starts"), measure("pages"), measure("floods"))
			if errors.Is(err, hiccup) != tt.failed {
				t.Errorf("the run ends with %v", err)
			}
			if !slices.Equal(tried, tt.tried) {
				t.Errorf("tried %v, want %v", tried, tt.tried)
			}
			for _, says := range tt.says {
				if !strings.Contains(out.String(), says) {
					t.Errorf("printed %q, want %q", out.String(), says)
				}
			}
			if left, _ := os.ReadDir(b.folder); len(left) > 0 {
				t.Errorf("%d folders are left behind", len(left))
			}
		})
	}
}

func TestAnInterruptedRunTriesNothingMore(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	b := &bench{report: &report{out: &strings.Builder{}}, folder: t.TempDir()}
	tried := 0
	part := section{"starts", func(*bench, context.Context) error {
		tried++
		stop()
		return ctx.Err()
	}}
	if err := b.each(ctx, part, part); !errors.Is(err, context.Canceled) || tried != 1 {
		t.Errorf("tried %d sections, ended with %v", tried, err)
	}
}
