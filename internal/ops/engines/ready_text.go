package engines

import (
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// writeReady shows the findings, and then each place. Reports in other formats have the places in them.
func writeReady(out io.Writer, r *ReadyResult) error {
	if r.fixes {
		_, err := io.WriteString(out, diffs(r.Fixed))
		return err
	}
	if r.Format == "json" {
		_, err := out.Write(append(r.RawJSON(), '\n'))
		return err
	}
	if err := workbench.WriteReport(out, &r.ReportResult); err != nil || r.Format != "" && r.Format != "text" {
		return err
	}
	t := workbench.NewText(out)
	t.Line("")
	for _, p := range r.Places {
		writePlace(t, &p)
	}
	return t.Err
}

// writePlace shows what stands between a server and a place.
func writePlace(t *workbench.Text, p *ready.Place) {
	state := placeState(p)
	switch rest, accepted := strings.CutPrefix(state, "ready"); {
	case accepted:
		state = t.Good("ready") + rest
	case p.Skipped == "":
		state = t.Bad("%s", state)
	}
	t.Line(t.Bold("%-8s", p.Name) + "  " + state)
	for _, remark := range placeRemarks(p) {
		t.Fill(2, remark)
	}
	if p.Skipped == "" {
		t.Fill(2, "requirements: "+placeBasis(p))
	}
}
