package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/secret"
)

// TestNoCardNumberCanBeWorkedOut pays live with two cards, one of them up to its limit. Then it does what a thief of the backup and the
// data folder would do: with each key in either, and without one, it hashes numbers that fit the first six and the last four digits, the
// right one among them, and searches each file for the hash. To prove the search, a planted hash has to be found.
func TestNoCardNumberCanBeWorkedOut(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t)}
	dir, backup := values["FORECOURT_DATA"], filepath.Join(t.TempDir(), "backup")
	p := start(t, values, "serve")
	c := newCustomer(t, p.ready())
	conn := connectInside(t, dir, false)
	dbtest.Exec(t, conn, "UPDATE shop SET live = true WHERE code = 'moollar'")
	c.json(c.order("moollar"), "moollar", "200", "pan", canaryNumber)
	for range 3 {
		c.json(c.order("moollar"), "moollar", "200", "pan", declinedNumber)
	}
	c.json(c.order("moollar"), "moollar", "429", "pan", declinedNumber)
	planted := keyedHash([]byte("planted key"), "card:"+plantedNumber)
	dbtest.Exec(t, conn, "CREATE TABLE planted AS SELECT decode($1, 'hex') AS hash", hex.EncodeToString(planted))
	var day []byte
	var tags []int16
	check.Must(t, conn.QueryRow(
		t.Context(), "SELECT k.secret, l.cards FROM limit_address k, limit_address l WHERE k.secret IS NOT NULL AND l.secret IS NULL",
	).Scan(&day, &tags))
	check.Must(t, conn.Close(t.Context()))
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)
	// Unlogged tables are complete in their files only after the server has stopped.
	shell{t, values}.does(0, "backup", backup)

	inBackup, inFolder := unpacked(t, backup), everyFile(t, dir)
	if bytes.Contains(inBackup, day) {
		t.Error("the key of the day is in the backup")
	}
	if !bytes.Contains(inFolder, day) {
		t.Error("the key of the day is not in the data folder, so the search does not see that table")
	}
	kept, err := loadSecret(dir, "secret")
	check.Must(t, err)
	raw, _ := hex.DecodeString(kept)
	keys := map[string][]byte{
		"none": nil, "the secret": []byte(kept), "the secret's bytes": raw, "the key of the day": day, "a planted key": []byte("planted key"),
	}
	for _, purpose := range []string{"limits", "push", "push api key", "compliance", "kept input", "receipts", "terminal secrets", "invites"} {
		keys["the key for "+purpose] = secret.Derive(kept, purpose)
	}
	numbers := []string{canaryNumber, declinedNumber, plantedNumber}
	for place, content := range map[string][]byte{"backup": inBackup, "data folder": inFolder} {
		check.List(t, workedOut(keys, numbers, content), []string{plantedNumber + " with a planted key"}, "%s: the search finds", place)
	}

	// The value that the limits keep for an hour fits far too many numbers to be of use.
	fitting := 0
	for middle := range 1_000_000 {
		number := fmt.Sprintf("%s%06d%s", declinedNumber[:6], middle, declinedNumber[len(declinedNumber)-4:])
		if _, err := card.ParseNumber(number); err != nil {
			continue
		}
		if slices.Contains(tags, int16(binary.BigEndian.Uint16(keyedHash(day, "card:"+number))>>6)) {
			fitting++
		}
	}
	if len(tags) != 3 || fitting < 50 {
		t.Errorf("%d cards are kept, which %d numbers fit; want 3, and 50 at least", len(tags), fitting)
	}
}

// workedOut hashes each of numbers and its candidates with each key, and without one, and returns those whose hash is in content. The
// race detector would take long for the bytes of content, which no other goroutine touches.
//
//go:norace
func workedOut(keys map[string][]byte, numbers []string, content []byte) []string {
	hashes := map[uint64]string{}
	begins := make([]bool, 1<<24) // the beginnings of hashes, because the map is slow
	for name, key := range keys {
		for _, number := range numbers {
			for _, n := range candidates(number) {
				for _, text := range []string{n, "card:" + n} {
					begin := binary.BigEndian.Uint64(keyedHash(key, text))
					hashes[begin], begins[begin>>40] = n+" with "+name, true
				}
			}
		}
	}
	var found []string
	for i := 0; i+8 <= len(content); i++ {
		if !begins[uint32(content[i])<<16|uint32(content[i+1])<<8|uint32(content[i+2])] {
			continue
		}
		if n, ok := hashes[binary.BigEndian.Uint64(content[i:])]; ok && !slices.Contains(found, n) {
			found = append(found, n)
		}
	}
	return found
}

// candidates returns a hundred of the card numbers with the first six and last four digits of number, and number itself. Trying all hundred
// thousand would take minutes and could find no more than the hash of number.
func candidates(number string) []string {
	all := []string{number}
	for middle := 0; middle < 1_000_000 && len(all) < 100; middle++ {
		n := fmt.Sprintf("%s%06d%s", number[:6], middle, number[len(number)-4:])
		if _, err := card.ParseNumber(n); err == nil && n != number {
			all = append(all, n)
		}
	}
	return all
}

func keyedHash(key []byte, text string) []byte {
	if key == nil {
		sum := sha256.Sum256([]byte(text))
		return sum[:]
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func unpacked(t *testing.T, backup string) []byte {
	t.Helper()
	file, err := os.Open(backup)
	check.Must(t, err)
	defer func() { _ = file.Close() }()
	reader, err := zstd.NewReader(file)
	check.Must(t, err)
	defer reader.Close()
	content, err := io.ReadAll(reader)
	check.Must(t, err)
	return content
}

// everyFile returns the contents of all files below a folder, one after the other.
func everyFile(t *testing.T, folder string) []byte {
	t.Helper()
	var all bytes.Buffer
	eachFile(t, folder, func(_ string, content []byte) { all.Write(content) })
	return all.Bytes()
}
