package archive

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"forecourt/internal/archive/store"
	"forecourt/internal/secret"
)

var key = secret.New(strings.Repeat("k", 32))

// places returns a folder and a bucket.
func places(t *testing.T) map[string]*Place {
	t.Helper()
	server := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server())
	t.Cleanup(server.Close)
	all := map[string]*Place{}
	for name, text := range map[string]string{"folder": t.TempDir(), "bucket": strings.Replace(server.URL, "http:", "s3:", 1) + "/bucket/some/prefix"} {
		place, err := ParsePlace(text)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = place
	}
	return all
}

func open(t *testing.T, place *Place) *Archive {
	t.Helper()
	return Open(place, Access{ID: "id", Secret: secret.New("password"), Region: "us-east-1"}, key, t.TempDir())
}

// openFolder returns a new archive in a folder.
func openFolder(t *testing.T) (*Archive, *Place) {
	t.Helper()
	place, err := ParsePlace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return open(t, place), place
}

// file makes a file with the given content.
func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLogFilesAreReadBackAsStored(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, first := open(t, place), "000000010000000000000001"
			var got bytes.Buffer
			if err := a.GetLog(t.Context(), first, &got); !errors.Is(err, ErrMissing) {
				t.Errorf("an empty archive: %v", err)
			}
			content := strings.Repeat("log ", 1<<18)
			for try := range 2 { // PostgreSQL archives a file again after a crash
				if err := a.PutLog(t.Context(), first, file(t, content)); err != nil {
					t.Fatalf("try %d: %v", try, err)
				}
			}
			if err := a.GetLog(t.Context(), first, &got); err != nil || got.String() != content {
				t.Errorf("read %d bytes, %v", got.Len(), err)
			}
			for _, other := range []string{content + "x", content[1:] + "x", ""} {
				if err := a.PutLog(t.Context(), first, file(t, other)); !errors.Is(err, ErrOther) {
					t.Errorf("another file with the same name: %v", err)
				}
			}
			for range 2 {
				if err := a.Claim(t.Context(), "77"); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.Claim(t.Context(), "78"); !errors.Is(err, ErrOther) {
				t.Errorf("another database: %v", err)
			}
			stranger := *a
			stranger.key = secret.New(strings.Repeat("o", 32))
			if err := stranger.Claim(t.Context(), "77"); !errors.Is(err, ErrDamaged) {
				t.Errorf("another key: %v", err)
			}
			body, err := a.store.Get(t.Context(), logName(first))
			if err != nil {
				t.Fatal(err)
			}
			stored, err := io.ReadAll(body)
			if err := errors.Join(err, body.Close()); err != nil || bytes.Contains(stored, []byte("log log")) || len(stored) > len(content)/10 {
				t.Errorf("%d bytes are stored; want them compressed and encrypted, %v", len(stored), err)
			}
			if left, err := os.ReadDir(a.spool); err != nil || len(left) > 0 {
				t.Errorf("files left in the spool: %v, %v", left, err)
			}
		})
	}
}

func TestPruneRemovesOldCopiesAndTheirLog(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := open(t, place)
			if _, err := a.Prune(t.Context(), nil, 2); err != nil {
				t.Fatal(err)
			}
			for n := 1; n <= 9; n++ {
				if err := a.PutLog(t.Context(), fmt.Sprintf("0000000%d%016X", 1+n/9, n), file(t, "log")); err != nil {
					t.Fatal(err)
				}
			}
			if err := a.PutLog(t.Context(), "00000002.history", file(t, "history")); err != nil {
				t.Fatal(err)
			}
			var made []string
			for _, n := range []int{2, 4, 7} {
				b, err := a.PutBase(t.Context(), func(w io.Writer) (string, error) {
					_, err := io.WriteString(w, "copy")
					return fmt.Sprintf("00000001%016X", n), err
				})
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, b.Name)
			}
			if _, err := a.PutBase(t.Context(), func(io.Writer) (string, error) { return "", errors.New("no") }); err == nil {
				t.Error("a failed copy was stored")
			}
			kept, err := a.Prune(t.Context(), made, 2)
			if err != nil || !slices.Equal(kept, made[1:]) {
				t.Fatalf("kept %v of %v, %v", kept, made, err)
			}
			bases, err := a.Bases(t.Context())
			if err != nil || len(bases) != 2 || bases[0].First != "000000010000000000000004" || bases[1].First != "000000010000000000000007" {
				t.Errorf("%v are left, %v; want the two newest copies", bases, err)
			}
			entries, err := a.store.List(t.Context(), logFolder)
			var left []string
			for _, e := range entries {
				left = append(left, strings.TrimLeft(parseLog(e)[8:], "0"))
			}
			if want := []string{"4", "5", "6", "7", "8", ".history", "9"}; err != nil || !slices.Equal(left, want) {
				t.Errorf("%v are left, %v; want %v", left, err, want)
			}
			newest := bases[1]
			for to, want := range map[time.Time]string{{}: newest.Name, newest.Ended: newest.Name, newest.Ended.Add(-time.Millisecond): bases[0].Name} {
				if bases[0].Ended.After(to) && !to.IsZero() {
					continue // both copies ended in the same millisecond
				}
				if b, err := a.Choose(t.Context(), to); err != nil || b[0].Name != want {
					t.Errorf("Choose(%s) = %v, %v", to, b, err)
				}
			}
			if _, err := a.Choose(t.Context(), bases[0].Ended.Add(-time.Hour)); !errors.Is(err, ErrTooEarly) {
				t.Errorf("an hour before the first copy: %v, want ErrTooEarly", err)
			}
		})
	}
}

// TestOnlyCopiesOfThisDatabaseCount has somebody add files to an archive who has no key.
func TestOnlyCopiesOfThisDatabaseCount(t *testing.T) {
	t.Parallel()
	at := func(hours int, timeline string) string {
		return baseName(time.Date(2026, 11, 27, hours, 0, 0, 0, time.UTC), timeline+"0000000000000001")
	}
	first, second, third := at(1, "00000001"), at(2, "00000001"), at(3, "00000001")
	for name, tt := range map[string]struct {
		made, added, old, kept []string
		newest                 string
	}{
		"names of another timeline, in the future": {[]string{first, second, third}, []string{at(4000, "00000FFF"), at(4001, "00000FFF")}, []string{first}, []string{second, third}, third},
		"names of this timeline":                   {[]string{first, second, third}, []string{at(4, "00000001"), at(5, "00000001")}, []string{first}, []string{second, third}, third},
		"older names":                              {[]string{second, third}, []string{first}, []string{first}, []string{second, third}, third},
		"older names, and too few copies":          {[]string{third}, []string{first, second}, nil, []string{third}, third},
		"no copy, as after a restore":              {nil, []string{first, second, third}, nil, nil, ""},
		"a copy of a clock that ran ahead":         {[]string{at(4000, "00000001"), second, third}, []string{first}, []string{at(4000, "00000001"), first}, []string{second, third}, third},
		"such a copy, still kept":                  {[]string{at(4000, "00000001"), third}, []string{second}, []string{second}, []string{at(4000, "00000001"), third}, third},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bases []Base
			for _, n := range slices.Sorted(slices.Values(slices.Concat(tt.made, tt.added))) {
				b, ok := parseBase(store.Entry{Name: n})
				if !ok {
					t.Fatal(n)
				}
				bases = append(bases, b)
			}
			old, kept := outdated(bases, tt.made, 2)
			if !slices.Equal(old, tt.old) || !slices.Equal(kept, tt.kept) {
				t.Errorf("removes %v and keeps %v, want %v and %v", old, kept, tt.old, tt.kept)
			}
			if newest := Newest(bases, tt.made, "00000001"); newest.Name != tt.newest {
				t.Errorf("the newest is %q, want %q", newest.Name, tt.newest)
			}
		})
	}
}

func TestABucketMayUseItsOwnCertificateAuthority(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // hides the handshake that the client breaks off
	server.StartTLS()
	t.Cleanup(server.Close)
	place, err := ParsePlace(strings.Replace(server.URL, "https:", "s3:", 1) + "/bucket")
	if err != nil {
		t.Fatal(err)
	}
	place.base.Scheme = "https"
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	for _, known := range []*x509.CertPool{nil, roots} {
		a := Open(place, Access{ID: "id", Secret: secret.New("password"), Region: "us-east-1", Roots: known}, key, t.TempDir())
		if err := a.Claim(t.Context(), "77"); errors.As(err, new(*tls.CertificateVerificationError)) != (known == nil) || known != nil && err != nil {
			t.Errorf("roots given %t: %v", known != nil, err)
		}
	}
}

func TestAfterNamesTheNextSegment(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"000000010000000000000001": "000000010000000000000002", "00000001000000000000000F": "000000010000000000000010",
		"0000000100000000000000FF": "000000010000000100000000", "0000000A0000000F000000FF": "0000000A0000001000000000",
	} {
		if got := after(name); got != want {
			t.Errorf("%s follows %s, want %s", got, name, want)
		}
	}
}

func TestParsePlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/mnt/archive/": "/mnt/archive", "s3://s3.example/bucket": "https://s3.example/bucket/", "s3://s3.example:9000/bucket/a/b/": "https://s3.example:9000/bucket/a/b/",
		"s3://127.0.0.1:9000/bucket": "http://127.0.0.1:9000/bucket/", "s3://localhost/b": "http://localhost/b/",
		"archive": "", "s3://bucket": "", "s3://id:password@s3.example/bucket": "", "https://s3.example/bucket": "", "s3://s3.example/bucket?x=y": "", "": "",
	} {
		place, err := ParsePlace(text)
		if err != nil {
			if want != "" || strings.Contains(err.Error(), "password@") {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if got := place.folder + strings.TrimPrefix(place.base.String(), "//"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for folder, inside := range map[string]bool{"/data": true, "/data/archive": true, "/database": false, "/": false, "/mnt": false} {
		place, err := ParsePlace(folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := place.CheckOutside("/data"); (err != nil) != inside {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

func TestPruneRemovesOnlyFilesOfTheLog(t *testing.T) {
	t.Parallel()
	a, place := openFolder(t)
	if _, err := a.PutBase(t.Context(), func(io.Writer) (string, error) { return "00000001000000FF00000001", nil }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"000000010000000000000001", "000000010000000000000002.00000028.backup", "000000010000000000000003.partial", "customer,list,of,november.csv",
	} {
		if err := a.PutLog(t.Context(), name, file(t, "content")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Prune(t.Context(), nil, 1); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(place.folder, logFolder))
	if err != nil || len(entries) != 1 || entries[0].Name() != "customer,list,of,november.csv"+ending {
		t.Errorf("left are %v, %v", entries, err)
	}
}

func TestPruneRemovesWhatKilledProgramsLeft(t *testing.T) {
	t.Parallel()
	a, place := openFolder(t)
	if err := a.PutLog(t.Context(), "000000010000000000000001", file(t, "log")); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(place.folder, logFolder)
	for name, age := range map[string]time.Duration{store.PartPrefix + "left": store.PartFor + time.Hour, store.PartPrefix + "written": time.Hour} {
		at := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(filepath.Join(below, name), []byte("half"), 0o600), os.Chtimes(filepath.Join(below, name), at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Prune(t.Context(), nil, 1); err != nil {
		t.Fatal(err)
	}
	var names []string
	entries, err := os.ReadDir(below)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{store.PartPrefix + "written", "000000010000000000000001" + ending}; err != nil || !slices.Equal(names, want) {
		t.Errorf("left are %v, %v; want %v", names, err, want)
	}
}

// TestAnAnswerThatBreaksOffIsNoDamage has the network fail in the middle of a file: a program that took that for another key would not start.
func TestAnAnswerThatBreaksOffIsNoDamage(t *testing.T) {
	t.Parallel()
	whole := gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server()
	var at atomic.Int64 // of the file, in thousandths; 0: nowhere
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at.Load() == 0 || r.Method != http.MethodGet || r.URL.RawQuery != "" {
			whole.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		whole.ServeHTTP(answer, r)
		w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
		_, _ = w.Write(answer.Body.Bytes()[:int64(answer.Body.Len())*at.Load()/1000])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	place, err := ParsePlace(strings.Replace(server.URL, "http:", "s3:", 1) + "/bucket")
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, place)
	if err := a.Claim(t.Context(), "1"); err != nil {
		t.Fatal(err)
	}
	if err := a.PutLog(t.Context(), "000000010000000000000001", file(t, strings.Repeat("log", 1<<16))); err != nil {
		t.Fatal(err)
	}
	for _, part := range []int64{1, 300, 700, 999} {
		at.Store(part)
		if err := a.Claim(t.Context(), "1"); err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, ErrOther) || errors.Is(err, ErrMissing) {
			t.Errorf("the owner, broken off at %d: %v", part, err)
		}
		if names, _, err := a.log(t.Context(), "00000001"); err != nil || len(names) != 1 {
			t.Errorf("the log, broken off at %d: %v, %v", part, names, err)
		}
	}
	at.Store(0)
	if names, _, err := a.log(t.Context(), "00000001"); err != nil || len(names) != 1 {
		t.Errorf("after it works again: %v, %v", names, err)
	}
}
