package check

import (
	"bytes"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A display is a terminal for tests.
type display struct {
	bytes.Buffer
	color, blocks bool
	columns       int
}

func (d *display) Color() bool  { return d.color }
func (d *display) Blocks() bool { return d.blocks }
func (d *display) Columns() int { return d.columns }

// TestAreas shows areas in a pipe, and on terminals with a bar for the grade.
func TestAreas(t *testing.T) {
	graded := Area{Name: "protocol", State: Graded, Grade: "C", About: "1 error, 11 from the SDK",
		Evidence: "99 of 99 checks of 2025-11-25"}
	none := Area{Name: "robustness", State: NotTested, About: "the server has no tools"}
	for _, c := range []struct {
		name string
		on   display
		area Area
		want string
	}{
		{"pipe", display{blocks: true}, graded,
			"C  protocol    1 error, 11 from the SDK (99 of 99 checks of 2025-11-25)\n"},
		{"blocks", display{color: true, blocks: true, columns: 80}, graded,
			"\x1b[1;33mC  ███░░\x1b[0m  protocol    1 error, 11 from the SDK (99 of 99 checks of 2025-11-25)\n"},
		{"narrow ASCII", display{color: true, columns: 60}, graded,
			"\x1b[1;33mC  ###--\x1b[0m  protocol    1 error, 11 from the SDK (99 of 99\n" +
				"                      checks of 2025-11-25)\n"},
		{"no grade", display{color: true, blocks: true, columns: 80}, none,
			"\x1b[1;33m–  ░░░░░\x1b[0m  robustness  not tested: the server has no tools\n"},
	} {
		area(workbench.NewText(&c.on), c.area)
		if got := c.on.String(); got != c.want {
			t.Errorf("%s:\n%q, expected\n%q", c.name, got, c.want)
		}
	}
}
