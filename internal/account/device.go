package account

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"forecourt/internal/mailaddr"
)

// maxDevice is how many accounts a browser is known for; the last ones.
const maxDevice = 5

// nonceSize of an entry, in bytes; a MAC follows.
const nonceSize = 16

// Remember returns the cookie of a browser that is now known for an account: its owner signed in there, or set a new password through a
// mailed link. cookie is the one the browser had. An entry is a random number and a MAC of it with the address; whoever
// steals the cookie learns no address and can guess a password as often as the owner may mistype it.
func (a *Accounts) Remember(cookie, email string) string {
	if a.known(cookie, email) != "" {
		return cookie
	}
	nonce := make([]byte, nonceSize)
	_, _ = rand.Read(nonce) // never fails
	entries := append(entries(cookie), base64.RawURLEncoding.EncodeToString(slices.Concat(nonce, a.mark(nonce, email))))
	return strings.Join(entries[max(len(entries)-maxDevice, 0):], ".")
}

// known returns what names a browser that is known for an account, "" for one that is not.
func (a *Accounts) known(cookie, email string) string {
	for _, entry := range entries(cookie) {
		raw, err := base64.RawURLEncoding.DecodeString(entry)
		if err == nil && len(raw) == nonceSize+sha256.Size && hmac.Equal(raw[nonceSize:], a.mark(raw[:nonceSize], email)) {
			return entry
		}
	}
	return ""
}

func entries(cookie string) []string {
	if cookie == "" {
		return nil
	}
	parts := strings.Split(cookie, ".")
	return parts[max(len(parts)-maxDevice, 0):]
}

func (a *Accounts) mark(nonce []byte, email string) []byte {
	mac := hmac.New(sha256.New, a.key)
	mac.Write([]byte("known device\x00"))
	mac.Write(nonce)
	mac.Write([]byte(mailaddr.Normal(email)))
	return mac.Sum(nil)
}
