package db

// Captured is what was or will be captured for a transaction, in minor units: its amount, unless a person accepted that the gateway
// captured a different one.
func (t Transaction) Captured() int64 {
	if t.CapturedMinor != nil {
		return *t.CapturedMinor
	}
	return t.AmountMinor
}
