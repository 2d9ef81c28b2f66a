package demo

import (
	"forecourt/internal/site/keys"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// Keygen is the key generator.
type Keygen struct {
	Frame Page
	Tools []KeyTool
}

// KeyTool hashes the content of its fields.
type KeyTool struct {
	ID, Title, About string
	Hash             keys.Hash
	Fields           []ui.Field
	Result           KeyResult
	Props            props.KeyTool
}

// KeyResult is a key and the text it hashes.
type KeyResult struct {
	Name  string // "SHA-1", "transactionkey"
	Parts []Pair
	Key   string
	// Checked is true when a key was given to check; Wrong lists the mistakes that led to it, none when it is right.
	Checked bool
	Wrong   []string
}
