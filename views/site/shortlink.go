package site

import "forecourt/views/layout"

// UnknownLink is the page of a code that never was.
func UnknownLink() Failure {
	return page("This link does not exist", "There is no such short link. It may have been typed or copied with a piece missing.")
}

// ExpiredLink is the page of a code that was valid once.
func ExpiredLink() Failure {
	return page("This link has expired", "It was valid for a limited time, which has passed. Please ask whoever gave it to you for a new one.")
}

func page(title, text string) Failure {
	return Failure{
		Frame: layout.Site{Title: title}, Title: title, Text: text,
		OnURL: "/", OnText: "Go to the start page",
	}
}
