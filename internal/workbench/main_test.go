package workbench

import (
	"os"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/planted"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// TestMain makes this binary the servers that tests start.
func TestMain(m *testing.M) {
	zoo.Play()
	planted.Play()
	os.Exit(m.Run())
}
