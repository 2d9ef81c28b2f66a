package account

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

// ErrCode means a code that is wrong, too old or used.
var ErrCode = fault.New(fault.Invalid, "That code is wrong, expired or already used. Wait for the next one and enter it.")

// stepSeconds is how long a one-time code is shown.
const stepSeconds = 30

// drift is how many steps a clock may be ahead or behind.
const drift = 1

// keySize is the length of a key of one-time codes, in bytes.
const keySize = 20

// RecoveryCodes is how many recovery codes an account has.
const RecoveryCodes = 10

// recoverySizes are the lengths of a recovery code without its dashes, in base32: 130 random bits, once 80.
var recoverySizes = []int{26, 16}

// appKey returns a key of one-time codes in the forms that apps take.
func appKey(issuer, email string, raw []byte) (*otp.Key, error) {
	return totp.Generate(totp.GenerateOpts{
		Issuer: issuer, AccountName: email, Secret: raw, Period: stepSeconds, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
	})
}

// matchStep returns the step whose code this is: the earliest of those around a time that is after last. It is 0 for no step.
func matchStep(key *otp.Key, code string, last int64, at time.Time) int64 {
	now := at.Unix() / stepSeconds
	for step := max(now-drift, last+1); step <= now+drift; step++ {
		options := hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1}
		ok, err := hotp.ValidateCustom(code, uint64(step), key.Secret(), options) //nolint:gosec // after 1970
		if err == nil && ok {
			return step
		}
	}
	return 0
}

// bare returns a code without the spaces and dashes that make it easy to read.
func bare(code secret.Text) string {
	return typed.Code(code.Reveal())
}

// newRecovery makes a set of recovery codes, and their hashes for an account.
func newRecovery(account uuid.UUID) (codes []secret.Text, hashes [][]byte) {
	for range RecoveryCodes {
		code := rand.Text()
		hashes = append(hashes, hashRecovery(account, code))
		code = strings.ToLower(code)
		codes = append(codes, secret.New(code[:5]+"-"+code[5:10]+"-"+code[10:15]+"-"+code[15:20]+"-"+code[20:]))
	}
	return codes, hashes
}

// hashRecovery needs no key: a code has too many random bits to be guessed from its hash.
func hashRecovery(account uuid.UUID, code string) []byte {
	sum := sha256.Sum256([]byte(account.String() + " " + code))
	return sum[:]
}
