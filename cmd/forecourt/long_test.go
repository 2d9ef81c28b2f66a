//go:build long

package main

// thorough is whether tests of many cases try those, too, that differ little from others and take long.
const thorough = true
