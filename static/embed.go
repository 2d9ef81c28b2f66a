// Package static serves the built scripts, styles and pictures. Their names carry a hash of their content, so a browser
// may keep them forever.
package static

import "embed"

// dist is what cmd/assets built. A fresh checkout holds only .gitkeep there, which all: takes in.
//
//go:embed all:dist
var dist embed.FS
