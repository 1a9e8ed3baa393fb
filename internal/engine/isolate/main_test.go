package isolate_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs many tests at once: they mostly wait for messages that must not come.
func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "20")
	os.Exit(m.Run())
}
