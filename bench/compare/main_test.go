package main

import (
	"os"
	"testing"
)

// TestMain lets the test binary be the servers that are measured.
func TestMain(m *testing.M) {
	if !serveEcho() {
		os.Exit(m.Run())
	}
}
