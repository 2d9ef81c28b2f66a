//go:build !long

package handlers_test

// hostileRounds is how many texts each place of each route gets. Two still bring every text into every place.
const hostileRounds = 2
