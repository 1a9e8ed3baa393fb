package wire

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

func TestMain(m *testing.M) {
	wiretest.Play()
	leaktest.Main(m)
}
