// Package site serves the provider's own pages and the health checks, and gives every page its frame.
package site

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/shop/order"
	"forecourt/internal/site/legal"
)

// Config holds what the pages need.
type Config struct {
	Pool     *pgxpool.Pool
	Nav      *Nav
	Menus    *order.Menus
	Provider legal.Provider                       // who runs the site
	OpenDemo bool                                 // each page warns that others can reach this demo
	Live     bool                                 // the site is not a demo, so nothing links to the demo businesses
	HTTPS    bool                                 // the public address is https
	Waiting  func(context.Context) map[string]int // cases that wait for staff, by the address of their queue
	Health   *Board
	Log      *slog.Logger
}

// Handler serves the start page, the provider's documents and the health checks.
type Handler struct {
	Config

	texts  *legal.Documents
	guides guides
	ready  readiness
}

// New returns a Handler.
func New(c Config) *Handler { return &Handler{Config: c, texts: legal.NewDocuments(c.Pool)} }

// Healthy answers GET /healthz with 200: the process is alive.
func Healthy(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) }
