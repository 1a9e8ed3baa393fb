//go:build race

package store_test

// raced tells whether the race detector watches, which takes many times as long.
const raced = true
