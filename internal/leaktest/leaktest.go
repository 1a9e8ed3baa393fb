// Package leaktest checks that the tests of a package leave no goroutines running. It is for tests.
package leaktest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// atMost is how long goroutines may take to end. The default of goleak is less than half a second, which a busy machine
// may need just to schedule them.
const atMost = 20 * time.Second

// Main runs the tests of a package and exits; for TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if err := Find(); err != nil {
			fmt.Fprintln(os.Stderr, "tests passed, but goroutines are still running:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// Find returns the goroutines that are still running and do not end.
func Find(options ...goleak.Option) error {
	for deadline := time.Now().Add(atMost); ; {
		err := goleak.Find(options...)
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}
