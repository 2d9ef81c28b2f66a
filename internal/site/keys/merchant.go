package keys

import "forecourt/internal/kit/secret"

// Merchant may use the hosted page of the sandbox.
type Merchant struct {
	ID, Name  string
	PublicKey string        // identifies the page that embeds the checkout
	Secrets   []secret.Text // that work now, the newest first
}

// Mistakes says why key is not the transaction key of in with a secret of m. It returns nil if it is.
func (m *Merchant) Mistakes(in Input, key string) []Mistake {
	if _, ok := m.SecretOf(in, key); ok {
		return nil
	}
	in.Secret = m.Secrets[0]
	return Diagnose(SHA1, in, key)
}

// SecretOf returns the secret with which the shop made a transaction key, or else the newest one. A shop that has not switched to a new
// secret yet verifies with its old one.
func (m *Merchant) SecretOf(in Input, key string) (secret.Text, bool) {
	for _, known := range m.Secrets {
		in.Secret = known
		if Equal(in.Key(SHA1), key) {
			return known, true
		}
	}
	return m.Secrets[0], false
}
