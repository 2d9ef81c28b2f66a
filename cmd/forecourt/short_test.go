//go:build !long

package main

// thorough says whether tests also try cases that take long and differ little from others.
const thorough = false
