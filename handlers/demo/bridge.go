package demo

import (
	"io/fs"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/kit/typed"
	view "forecourt/views/demo"
	"forecourt/views/props"
	"forecourt/views/ui"
)

// bridgeAmount is the amount that the terminal demo starts with (BRIDGE-01).
const bridgeAmount = "5.00"

// Bridge is the demo of the terminal service. The payment itself is between the browser and that service.
type Bridge struct {
	Service *url.URL // http(s) origin of the service
	Public  *url.URL // of this site
	Files   fs.FS    // the service for the systems of visitors, as make dist builds it; it may be empty
}

// Show answers GET /demo/bridge.
func (b *Bridge) Show(w http.ResponseWriter, r *http.Request) error {
	amount, problem, sent := bridgeAmount, "", r.URL.Query().Has("amount")
	if sent {
		amount = web.Query(r).Get("amount")
		if minor, err := typed.Amount(amount, money.DefaultCurrency); err != nil || minor == 0 {
			problem = props.NoAmount
		} else {
			amount = money.Wire(minor)
		}
	}
	origin := b.Service.Scheme + "://" + b.Service.Host
	web.Allow(w, "connect-src", origin)
	return web.Render(w, r, http.StatusOK, view.BridgePage(view.Bridge{
		Page: page(
			"Terminal", "Take a payment at a card terminal from a web page, and watch every call it makes.", "/demo/bridge", "bridge.js",
		),
		Service: origin, Site: b.Public.Scheme + "://" + b.Public.Host, Downloads: b.downloads(),
		Amount: amount, Problem: problem, Sent: sent,
	}))
}

// downloads lists the systems that there is a file for.
func (b *Bridge) downloads() []view.Download {
	return slices.DeleteFunc(slices.Clone(view.Downloads), func(d view.Download) bool {
		_, err := fs.Stat(b.Files, d.File)
		return err != nil
	})
}

// Send answers GET /demo/bridge/{file} with the service for one system, under the provider's name.
func (b *Bridge) Send(w http.ResponseWriter, r *http.Request) error {
	files := b.downloads()
	at := slices.IndexFunc(files, func(d view.Download) bool { return d.File == chi.URLParam(r, "file") })
	if at < 0 {
		return fault.New(fault.NotFound, "no such file")
	}
	file := files[at].File
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+view.ProgramName(ui.Of(r.Context()).Provider.Name, file)+`"`)
	http.ServeFileFS(w, r, b.Files, file)
	return nil
}
