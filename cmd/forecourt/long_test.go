//go:build long

package main

// thorough is whether tests also try cases that take long and differ little from others.
const thorough = true
