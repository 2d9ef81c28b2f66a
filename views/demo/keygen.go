package demo

import (
	"forecourt/views/props"
	"forecourt/views/ui"
)

// Keygen is the key generator.
type Keygen struct {
	Frame Page
	Tools []KeyTool
}

// KeyTool hashes what its fields hold.
type KeyTool struct {
	ID, Title, About string
	Fields           []ui.Field
	Result           KeyResult
	Props            props.KeyTool
}

// KeyResult is a key and the text that it is the hash of.
type KeyResult struct {
	Name  string // "SHA-1", "transactionkey"
	Parts []KeyPart
	Key   string
	// Checked is true when a key was given to be checked; Wrong says what led to it, nothing when it is right.
	Checked bool
	Wrong   []string
}

// KeyPart is a piece of the hashed text and what it is.
type KeyPart struct{ Name, Text string }
