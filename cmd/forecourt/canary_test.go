package main

import (
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

// finder searches for many texts at once, each of at least four bytes.
type finder struct {
	spellings map[string][]string // by their first four bytes
	first     [1 << 16]bool       // the pairs of bytes with which a text begins
}

func newFinder(spellings ...string) *finder {
	f := &finder{spellings: map[string][]string{}}
	for _, text := range spellings {
		f.spellings[text[:4]] = append(f.spellings[text[:4]], text)
		f.first[uint16(text[0])<<8|uint16(text[1])] = true
	}
	return f
}

// in returns the texts that content holds. The race detector would take a minute for its bytes, which no other goroutine touches.
//
//go:norace
func (f *finder) in(content []byte) map[string]bool {
	found := map[string]bool{}
	for i := 0; i+4 <= len(content); i++ {
		if !f.first[uint16(content[i])<<8|uint16(content[i+1])] {
			continue
		}
		for _, text := range f.spellings[string(content[i:i+4])] {
			if i+len(text) <= len(content) && string(content[i:i+len(text)]) == text {
				found[text] = true
			}
		}
	}
	return found
}

// inFolder returns the texts that the files below a folder hold, each with those files. bytes is the number of bytes read.
func (f *finder) inFolder(t *testing.T, folder string) (found map[string][]string, bytes int) {
	t.Helper()
	found = map[string][]string{}
	eachFile(t, folder, func(path string, content []byte) {
		bytes += len(content)
		for text := range f.in(content) {
			found[text] = append(found[text], strings.TrimPrefix(path, folder))
		}
	})
	return found, bytes
}

// eachFile reads the files below a folder.
func eachFile(t *testing.T, folder string, read func(path string, content []byte)) {
	t.Helper()
	check.Must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		read(path, content)
		return err
	}))
}

// numberSpellings returns the forms in which a card number may turn up: plain or grouped, as text or in a web address, and each of these in
// hexadecimal and in base64 at any offset.
func numberSpellings(number string) []string {
	grouped := func(separator string) string {
		return strings.Join([]string{number[:4], number[4:8], number[8:12], number[12:]}, separator)
	}
	all := []string{grouped("+"), grouped("%20"), grouped("\u00a0")}
	for _, text := range []string{number, grouped(" "), grouped("-")} {
		all = append(all, text, hex.EncodeToString([]byte(text)), strings.ToUpper(hex.EncodeToString([]byte(text))))
		for offset := range 3 {
			all = append(all, inBase64(text, offset))
		}
	}
	return all
}

// inBase64 returns the part of a text's base64 that does not depend on the bytes before and after it. offset is the position of the text's
// first byte, modulo three.
func inBase64(text string, offset int) string {
	encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, offset), text...))
	return encoded[(8*offset+5)/6 : 8*(offset+len(text))/6]
}

// codeSpellings returns the forms that tell a security code from any other four digits: next to its name, as in requests, forms and
// printed values.
func codeSpellings(code string) []string {
	var all []string
	for _, name := range []string{"cvc", "CVC", "Cvc"} {
		for _, between := range []string{`":"`, `": "`, `\":\"`, "=", "%3D", ":", ": ", ":[", `" value="`} {
			all = append(all, name+between+code)
		}
	}
	return all
}

func TestTheSearchFindsEverySpelling(t *testing.T) {
	t.Parallel()
	const number = "4716309582473163"
	f := newFinder(numberSpellings(number)...)
	for _, text := range []string{number, "4716 3095 8247 3163", "4716-3095-8247-3163"} {
		for _, before := range []string{"", "x", "xy", "xyz", "pan="} {
			content := []byte(before + text + "behind")
			for _, encoded := range []string{
				string(content), hex.EncodeToString(content), strings.ToUpper(hex.EncodeToString(content)),
				base64.StdEncoding.EncodeToString(content), base64.RawURLEncoding.EncodeToString(content),
			} {
				if len(f.in([]byte(encoded))) == 0 {
					t.Errorf("%s after %q is not found in %s", text, before, encoded)
				}
			}
		}
	}
	found := f.in([]byte("4716309582473162 4716 3095 8247 316"))
	check.Equal(t, len(found), 0, "the search takes another number for it: %v", found)
}
