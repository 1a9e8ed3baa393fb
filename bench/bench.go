// Package bench measures what mcptest promises about its speed: calls over stdio against those of the Go SDK's client,
// memory over many recorded calls, and the time that a command takes to start.
//
// All of it is in the tests: `go test -v ./bench` prints the figures and fails where a promise is broken,
// `go test -bench . ./bench` gives the same as benchmarks.
package bench
