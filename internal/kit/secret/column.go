package secret

// Column is a database column of sealed data. The package that seals the data describes the column, so that it can be sealed again with
// another secret.
type Column struct {
	Table, Name string
	Purpose     string // of the key
	Key         []Part // of the primary key, in its order
	And         []Part // what else the place needs
	// Place returns the place for which a row is sealed, from the texts of Key and And.
	Place func(parts []string) string
	// Lost says what to do about a row that opens with no key.
	Lost string
	// Brief marks rows that are deleted within an hour anyway.
	Brief bool
}

// Part is a column with its SQL type.
type Part struct{ Name, Type string }
