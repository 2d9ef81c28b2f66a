//go:build long

package main

// thorough says whether tests also try slow cases that differ little from others.
const thorough = true
