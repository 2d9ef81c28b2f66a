package sandbox

import (
	"encoding/binary"
	"time"

	"go.etcd.io/bbolt"
)

// A payment that is not approved is forgotten after hostedFor, or earlier if mostHosted others have begun since: anybody may begin one.
const (
	hostedFor  = time.Hour
	mostHosted = 1000
)

// addHosted stores a payment that is new and forgets old ones, in the order in which they began. hostedFor counts from a payment's last
// step.
func addHosted(tx *bbolt.Tx, h hosted) error {
	if err := putHosted(tx, h); err != nil {
		return err
	}
	number, err := listUnpaid(tx, []byte(h.ID))
	if err != nil {
		return err
	}
	c := tx.Bucket(unpaidHostedBucket).Cursor()
	for key, id := c.First(); key != nil; key, id = c.First() {
		old, err := get[hosted](tx, hostedBucket, string(id))
		if err != nil {
			return err
		}
		if recent := binary.BigEndian.Uint64(key)+mostHosted > number; recent && old != nil && h.At.Sub(old.At) < hostedFor {
			return nil
		}
		if old != nil && old.State != approved {
			if err := tx.Bucket(hostedBucket).Delete(id); err != nil {
				return err
			}
		}
		if err := c.Delete(); err != nil {
			return err
		}
	}
	return nil
}

// listUnpaid appends a payment to those that are forgotten one day unless they are approved by then. It returns its number in the list.
func listUnpaid(tx *bbolt.Tx, id []byte) (uint64, error) {
	unpaid := tx.Bucket(unpaidHostedBucket)
	number, err := unpaid.NextSequence()
	if err != nil {
		return 0, err
	}
	return number, unpaid.Put(binary.BigEndian.AppendUint64(nil, number), id)
}
