package db

import "cmp"

// Amount returns what a payment comes to: what was captured, or what is asked for while nothing was.
func (p Position) Amount() int64 { return cmp.Or(p.CapturedMinor, p.AskedMinor) }
