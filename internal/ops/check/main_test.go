package check

import (
	"flag"
	"os"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/planted"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// TestMain makes this binary the servers that tests start.
func TestMain(m *testing.M) {
	zoo.Play()
	planted.Play()
	flag.Parse()
	_ = flag.Set("test.parallel", "12") // tests that check servers mostly wait
	os.Exit(m.Run())
}
