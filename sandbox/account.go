package sandbox

import (
	"crypto/subtle"

	"go.etcd.io/bbolt"
)

// knows reports whether a paylink account has this password. The first use of an account opens it.
func (st *store) knows(account, password string) (known bool, err error) {
	if len(account) > 200 || password == "" {
		return false, nil
	}
	got := digest(password)
	err = st.db.Update(func(tx *bbolt.Tx) error {
		accounts := tx.Bucket(accountsBucket)
		kept := accounts.Get([]byte(account))
		if kept == nil {
			known = true
			return accounts.Put([]byte(account), got[:])
		}
		known = subtle.ConstantTimeCompare(kept, got[:]) == 1
		return nil
	})
	return known, err
}
