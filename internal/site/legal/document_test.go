package legal_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fault"
	"forecourt/internal/site/legal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestTextsAreReadBackAsSaved(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	docs := legal.NewDocuments(pool)
	for i, tt := range []struct {
		name, text string
		pages      int
	}{
		{"nothing", "", 0},
		{"a line", "Terms\n", 1},
		{"exactly one page (DOC-14)", strings.Repeat("a", 800_000), 1},
		{"one character more (DOC-14)", strings.Repeat("a", 800_001), 2},
		{"characters of three bytes (DOC-14)", strings.Repeat("€", 800_001), 2},
		{"a character of four bytes on the edge (DOC-14)", strings.Repeat("a", 799_999) + "😀😀", 2},
		{"two whole pages", strings.Repeat("é", 1_600_000), 2},
		{"unusual but valid text", "\ufeff\ufffd\u0001\r\n\u202e", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := fmt.Sprintf("text-%d", i)
			saved, err := docs.Save(t.Context(), id, iotest.HalfReader(strings.NewReader(tt.text)))
			want := legal.DocumentInfo{
				ID: id, Pages: tt.pages, Characters: int64(len([]rune(tt.text))), Bytes: int64(len(tt.text)), Saved: saved.Saved,
			}
			if err != nil || saved != want {
				t.Fatalf("%+v, %v; want %+v", saved, err, want)
			}
			var back strings.Builder
			t.Run("the pages are numbered from 0 and make up the text (DOC-15)", func(t *testing.T) {
				if err := docs.Write(t.Context(), id, &back); err != nil || back.String() != tt.text {
					t.Errorf("wrote %d of %d bytes, %v", back.Len(), len(tt.text), err)
				}
				if text, err := docs.Read(t.Context(), id, int64(len(tt.text))); err != nil || text != tt.text {
					t.Errorf("read %d of %d bytes, %v", len(text), len(tt.text), err)
				}
				check.Equal(t, numbers(t, pool, id), tt.pages, "pages numbered from 0")
			})
			if tt.text != "" {
				_, err := docs.Read(t.Context(), id, int64(len(tt.text)-1))
				check.Equal(t, fault.CodeOf(err), fault.TooLarge, "a text longer than the limit was read: %v", err)
			}
		})
	}
}

// numbers counts the pages of a document, which must be numbered from 0 without a gap.
func numbers(t *testing.T, pool *pgxpool.Pool, id string) int {
	t.Helper()
	return dbtest.Value[int](t, pool, `SELECT count(*) FILTER (WHERE n < (SELECT v.pages FROM document_version v WHERE v.id = p.version_id))
		FROM document d JOIN document_page p ON p.version_id = d.version_id WHERE d.id = $1`, id)
}

func TestSaveRefusesInvalidText(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	docs := legal.NewDocuments(pool)
	_, err := docs.Save(t.Context(), "terms", strings.NewReader("as it was"))
	check.Must(t, err)
	long := strings.Repeat("é", legal.PageSize+5)
	for _, tt := range []struct {
		name, text string
		want       legal.TextError
	}{
		{"a stray byte", "ab\xffc", legal.TextError{Offset: 2}},
		{"Latin-1", "caf\xe9", legal.TextError{Offset: 3}},
		{"a character cut off", "€uro \xe2\x82", legal.TextError{Offset: 7}},
		{"a surrogate", "\xed\xa0\x80", legal.TextError{}},
		{"an overlong slash", "a\xc0\xaf", legal.TextError{Offset: 1}},
		{"NUL", "ab\x00", legal.TextError{Offset: 2, NUL: true}},
		{"on the second page", long + "\xff", legal.TextError{Offset: int64(len(long))}},
	} {
		_, err := docs.Save(t.Context(), "terms", strings.NewReader(tt.text))
		var text *legal.TextError
		if !errors.As(err, &text) || *text != tt.want || fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v, want %v", tt.name, err, &tt.want)
		}
	}
	_, err = docs.Save(t.Context(), "terms", io.MultiReader(strings.NewReader(long), iotest.ErrReader(io.ErrUnexpectedEOF)))
	check.ErrorIs(t, err, io.ErrUnexpectedEOF, "with a failing reader")
	if text, err := docs.Read(t.Context(), "terms", 100); err != nil || text != "as it was" {
		t.Errorf("the document is %q, %v", text, err)
	}
	check.Equal(t, versions(t, pool), 1, "versions are kept")
}

func TestAReaderNeverSeesPartOfAVersion(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	docs := legal.NewDocuments(pool)
	save := func(letter string) {
		_, err := docs.Save(t.Context(), "guide", strings.NewReader(strings.Repeat(letter, legal.PageSize+1)))
		check.NoError(t, err)
	}
	save("a")
	// This reader stops in the middle and continues after the document was replaced.
	out, in := io.Pipe()
	var reader sync.WaitGroup
	reader.Go(func() { _ = in.CloseWithError(docs.Write(t.Context(), "guide", in)) })
	start := make([]byte, 10)
	if _, err := io.ReadFull(out, start); err != nil {
		t.Fatal(err)
	}
	save("b")
	rest, err := io.ReadAll(out)
	reader.Wait()
	if err != nil || strings.Count(string(start)+string(rest), "a") != legal.PageSize+1 {
		t.Errorf("the reader got %d bytes, not all from the old version: %v", len(start)+len(rest), err)
	}
	// Now several writers and readers run at once.
	var all sync.WaitGroup
	for _, letter := range []string{"c", "d"} {
		all.Go(func() {
			for range 3 {
				save(letter)
			}
		})
	}
	for range 20 {
		text, err := docs.Read(t.Context(), "guide", 1<<20)
		if err != nil || len(text) != legal.PageSize+1 || strings.Trim(text, text[:1]) != "" {
			t.Fatalf("read %d bytes, starting with %q, %v", len(text), text[:1], err)
		}
	}
	all.Wait()
	check.Equal(t, versions(t, pool), 1, "versions are kept")
}

func TestConcurrentFirstSavesKeepOneVersion(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	docs := legal.NewDocuments(pool)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			_, err := docs.Save(t.Context(), "terms", strings.NewReader("text"))
			check.NoError(t, err)
		})
	}
	all.Wait()
	check.Equal(t, versions(t, pool), 1, "versions are kept")
}

func TestListAndRemove(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	docs := legal.NewDocuments(pool)
	for _, id := range []string{"terms", "privacy"} {
		_, err := docs.Save(t.Context(), id, strings.NewReader(id))
		check.Must(t, err)
	}
	infos, err := docs.List(t.Context())
	var named []string
	for _, info := range infos {
		named = append(named, fmt.Sprint(info.ID, info.Pages, info.Characters, info.Bytes))
	}
	if diff := cmp.Diff([]string{"privacy1 7 7", "terms1 5 5"}, named); diff != "" || err != nil {
		t.Errorf("list (-want +got), %v:\n%s", err, diff)
	}
	check.Must(t, docs.Remove(t.Context(), "terms"))
	for _, id := range []string{"terms", "../etc", "", "a\x00", strings.Repeat("a", 101)} {
		_, err := docs.Read(t.Context(), id, 100)
		check.ErrorIs(t, err, legal.ErrMissing, "reading %.20q", id)
		check.ErrorIs(t, docs.Write(t.Context(), id, io.Discard), legal.ErrMissing, "writing %.20q", id)
	}
	check.ErrorIs(t, docs.Remove(t.Context(), "a\x00"), legal.ErrMissing, "removing an invalid id")
	check.ErrorIs(t, docs.Remove(t.Context(), "terms"), legal.ErrMissing, "removing a document twice")
	for _, id := range []string{"Terms", "a b", "../x", "", "-a", "a\x00"} {
		_, err := docs.Save(t.Context(), id, strings.NewReader("x"))
		check.ErrorIs(t, err, legal.ErrID, "saving %q", id)
	}
	check.Equal(t, versions(t, pool), 1, "versions are kept")
}

func versions(t *testing.T, pool *pgxpool.Pool) (count int) {
	t.Helper()
	check.Must(t, pool.QueryRow(context.Background(), "SELECT count(*) FROM document_version").Scan(&count))
	return count
}
