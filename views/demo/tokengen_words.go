package demo

import (
	"fmt"
	"time"
)

// Texts of the specification, word for word (TOKEN-12 to TOKEN-18).
const (
	InvalidDocument  = "Invalid document"
	InvalidLink      = "Invalid or expired link."
	CheckFailed      = "Error checking document. Please try again."
	InvalidSecret    = "Invalid email or secret key."
	GenerateFailed   = "Error generating token. Please try again."
	DocumentNotFound = "Document not found"
	TokenGenerated   = "Bearer Token generated" //nolint:gosec // words, no credentials
	alreadyGenerated = "Token is already generated for this user. Please contact "
	generateLabel    = "Generate Token"
	generatingLabel  = "Generating..."
	checkingLabel    = "Checking link validity..."
)

// AlreadyGenerated says that a link was used, and who helps (TOKEN-15).
func AlreadyGenerated(provider string) string { return alreadyGenerated + provider + "." }

// PasswordTooLong is also said of a form that is too large to be read.
const PasswordTooLong = "Use at most 1,024 bytes for a password" //nolint:gosec // words, no credentials

// TooManyTokens says when somebody may try again after too many mistakes.
func TooManyTokens(after time.Duration) string {
	if minutes := int(after.Minutes()) + 1; minutes > 1 {
		return fmt.Sprintf("Too many tries with this link. Please try again in %d minutes.", minutes)
	}
	return "Too many tries with this link. Please try again in a minute."
}
