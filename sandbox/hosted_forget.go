package sandbox

import (
	"encoding/binary"

	"go.etcd.io/bbolt"
)

// mostHosted is how many payments are kept; older ones are forgotten. Anybody may begin one.
const mostHosted = 10_000

// addHosted stores a payment that is new and forgets old ones, in the order in which they began.
func addHosted(tx *bbolt.Tx, h hosted) error {
	if err := putHosted(tx, h); err != nil {
		return err
	}
	order := tx.Bucket(hostedOrderBucket)
	number, err := order.NextSequence()
	if err != nil {
		return err
	}
	if err := order.Put(binary.BigEndian.AppendUint64(nil, number), []byte(h.ID)); err != nil {
		return err
	}
	c := order.Cursor()
	for key, id := c.First(); key != nil && binary.BigEndian.Uint64(key)+mostHosted <= number; key, id = c.First() {
		if err := tx.Bucket(hostedBucket).Delete(id); err != nil {
			return err
		}
		if err := c.Delete(); err != nil {
			return err
		}
	}
	return nil
}
