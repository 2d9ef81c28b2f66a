package site

import (
	"forecourt/views/layout"
)

// UnknownLink is the page of a code that never was. reference is the request's id in the log.
func UnknownLink(reference string) Failure {
	return page(reference, "This link does not exist", "There is no such short link. It may have been typed or copied with a piece missing.")
}

// ExpiredLink is the page of a code that was valid once. reference is the request's id in the log.
func ExpiredLink(reference string) Failure {
	return page(
		reference, "This link has expired",
		"It was valid for a limited time, which has passed. Please ask whoever gave it to you for a new one.",
	)
}

func page(reference, title, text string) Failure {
	return Failure{
		Frame: layout.Site{Title: title}, Title: title, Text: text, Reference: reference,
		OnURL: "/", OnText: "Go to the start page",
	}
}
