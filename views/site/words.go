package site

import "forecourt/views/layout"

// FailureFor words a failure by its HTTP status. reference is the request's id in the log, shown where looking there helps.
func FailureFor(status int, reference string) Failure {
	f := Failure{OnURL: "/", OnText: "Go to the start page"}
	switch status {
	case 404:
		f.Title, f.Text = "Page not found", "There is nothing at this address. It may have been typed or copied with a piece missing."
	case 400, 415:
		f.Title, f.Text = "That did not arrive in one piece", "We could not read what your browser sent. Please go back and try again."
	case 403:
		f.Title, f.Text = "Not from here", "This request came from another site, so we did not act on it. Please open the page here and try again."
	case 409:
		f.Title, f.Text = "That is not possible any more", "Something changed in the meantime. Please go back and look again."
	case 410:
		f.Title, f.Text = "This has expired", "It was valid for a limited time, which is over."
	case 413:
		f.Title, f.Text = "That was too much at once", "What was sent is larger than this page takes. Please shorten it and try again."
	case 429:
		f.Title, f.Text = "Too many tries", "Please wait a little and try again."
	case 405:
		f.Title, f.Text = "Not this way", "This address does not take that kind of request."
	case 503:
		f.Title, f.Text = "Back in a moment", "We cannot reach a part of our service just now. Nothing was lost. Please try again in a few seconds."
		f.OnURL, f.OnText = "", "Try again"
	default:
		f.Title, f.Text = "Something went wrong", "The mistake is on our side, and we have made a note of it. Please try again in a while."
		f.Reference = reference
	}
	f.Frame = layout.Site{Title: f.Title, Year: layout.Year}
	return f
}
