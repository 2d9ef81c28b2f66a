//go:build long

package handlers_test

// hostileRounds is how many texts each place of each route gets.
const hostileRounds = 8
