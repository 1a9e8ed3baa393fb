package wire

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

func TestMain(m *testing.M) {
	wiretest.Play()
	goleak.VerifyTestMain(m)
}
