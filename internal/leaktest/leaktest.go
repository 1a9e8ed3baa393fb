// Package leaktest sees that the tests of a package leave no goroutine behind. It is for tests.
package leaktest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// atMost is how long goroutines may take to end. goleak itself gives them less than half a second, which a busy machine can
// take to run them at all.
const atMost = 20 * time.Second

// Main runs the tests of a package and exits; for TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if err := Find(); err != nil {
			fmt.Fprintln(os.Stderr, "the tests passed and have left goroutines behind:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// Find tells which goroutines are left that do not end.
func Find(options ...goleak.Option) error {
	for deadline := time.Now().Add(atMost); ; {
		err := goleak.Find(options...)
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}
