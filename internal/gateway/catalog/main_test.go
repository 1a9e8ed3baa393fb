package catalog_test

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
