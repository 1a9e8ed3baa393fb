//go:build race

package conform

// raced tells whether the race detector watches, which makes everything several times slower.
const raced = true
