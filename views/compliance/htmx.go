package compliance

import "github.com/a-h/templ"

// swaps makes a form replace only the panel, if scripts run.
func swaps(url string) templ.Attributes {
	return templ.Attributes{
		"hx-post": url, "hx-target": "#compliance", "hx-swap": "outerHTML", "hx-push-url": "true", "hx-encoding": "multipart/form-data",
		"hx-status:4xx": "push:false", "hx-status:5xx": "swap:none push:false",
	}
}

// follows makes a link do the same.
func follows(url string) templ.Attributes {
	return templ.Attributes{
		"hx-get": url, "hx-target": "#compliance", "hx-swap": "outerHTML", "hx-push-url": "true", "hx-status:5xx": "swap:none push:false",
	}
}
