package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// writeTAP writes the Test Anything Protocol, version 14: one line per result, findings as a YAML block below it.
func writeTAP(w io.Writer, r *finding.Report, o *Options) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "TAP version 14\n1..%d\n", len(r.Results))
	for i, result := range r.Results {
		status, word := o.status(result), "ok"
		if status == finding.Failed || status == finding.Broken {
			word = "not ok"
		}
		fmt.Fprintf(out, "%s %d - %s", word, i+1, tapText(title(result, r.Rules)))
		if status == finding.Skipped {
			fmt.Fprintf(out, " # SKIP %s", tapText(result.Skipped))
		}
		out.WriteString("\n")
		writeTAPDetails(out, result)
	}
	fmt.Fprintf(out, "# %s\n", Summarize(r, o))
	return out.Flush()
}

// tapText escapes characters with a special meaning in a test line.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(escapeControl(text))
}

func writeTAPDetails(out io.Writer, result finding.Result) {
	if len(result.Findings) == 0 && result.Broken == "" {
		return
	}
	fmt.Fprintf(out, "  ---\n  duration_ms: %.3f\n", float64(result.Elapsed)/float64(time.Millisecond))
	if result.Broken != "" {
		fmt.Fprintf(out, "  broken: %q\n", escapeControl(result.Broken))
	}
	if len(result.Findings) > 0 {
		fmt.Fprintln(out, "  findings:")
	}
	for _, f := range result.Findings {
		fmt.Fprintf(out, "    - rule: %q\n      severity: %s\n      message: |-\n", escapeControl(f.Rule),
			escapeControl(string(f.Severity)))
		for _, line := range append(visibleLines(f.Message), proof(f)...) {
			fmt.Fprintf(out, "        %s\n", line)
		}
		if f.Where.File != "" {
			fmt.Fprintf(out, "      at: %q\n", escapeControl(fmt.Sprintf("%s:%d", f.Where.File, f.Where.Line)))
		}
	}
	fmt.Fprintln(out, "  ...")
}
