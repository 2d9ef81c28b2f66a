// Package shortlink words what the pages of short links say that lead nowhere.
package shortlink

import (
	"forecourt/views/layout"
	"forecourt/views/site"
)

// Unknown is the page of a code that never was.
func Unknown() site.Failure {
	return page("This link does not exist", "There is no such short link. It may have been typed or copied with a piece missing.")
}

// Expired is the page of a code that was valid once.
func Expired() site.Failure {
	return page("This link has expired", "It was valid for a limited time, which has passed. Please ask whoever gave it to you for a new one.")
}

func page(title, text string) site.Failure {
	return site.Failure{
		Frame: layout.Site{Title: title}, Title: title, Text: text,
		OnURL: "/", OnText: "Go to the start page",
	}
}
