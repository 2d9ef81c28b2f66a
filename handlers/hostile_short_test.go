//go:build !long

package handlers_test

// hostileRounds is how many texts each place of each route gets. With two, every text still reaches every place.
const hostileRounds = 2
