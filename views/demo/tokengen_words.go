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

// ProblemText says what is wrong with a field (email secretKey password). problem is "missing" or "too long".
func TokenProblem(field, problem string) string {
	text, ok := map[string]string{ //nolint:gosec // words, no credentials
		"email missing":      "Enter your email",
		"email too long":     "Use at most 254 characters for an email address",
		"secretKey missing":  "Enter the secret key",
		"secretKey too long": "That is longer than a secret key is",
		"password missing":   "Enter a password",
		"password too long":  "Use at most 1,024 bytes for a password",
	}[field+" "+problem]
	if !ok {
		return "Please check this field"
	}
	return text
}

// TooMany says when somebody may try again after too many mistakes.
func TooManyTokens(after time.Duration) string {
	if minutes := int(after.Minutes()) + 1; minutes > 1 {
		return fmt.Sprintf("Too many tries with this link. Please try again in %d minutes.", minutes)
	}
	return "Too many tries with this link. Please try again in a minute."
}
