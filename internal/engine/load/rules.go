package load

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// errorShare is the percentage of calls that may fail if no threshold is about errors.
const errorShare = 1

var ruleThreshold = finding.Rule{ID: "load/threshold", Severity: finding.Error,
	Doc: "threshold failed\n\nA figure of the load is outside the limit set with --threshold, such as p99<50ms."}

// always are the thresholds that apply to every load.
var always = []Threshold{
	{Rule: finding.Rule{ID: "load/mixed-up", Severity: finding.Critical,
		Doc: "response belongs to another call\n\nEach call carried a unique text, which the tool returns. A " +
			"response did not contain it: under concurrency the server returns the response of one call to another, " +
			"and one user may see the data of another. Look for state that calls share."},
		Holds: func(s *Summary) error {
			if s.MixedUp == 0 {
				return nil
			}
			return fmt.Errorf("%d of %d responses belonged to another call", s.MixedUp, s.Checked)
		}},
	{Rule: finding.Rule{ID: "load/deadlock", Severity: finding.Error,
		Doc: "no responses while calls are in flight\n\nWith several calls in flight, the server stopped responding. " +
			"Look for locks that are acquired in different orders, pools that calls take from twice, and output that " +
			"is not read. A tool that intentionally takes longer needs a longer --silence."},
		Holds: func(s *Summary) error {
			if !s.Deadlock {
				return nil
			}
			return fmt.Errorf("no response while calls were in flight; %s", s.Alive)
		}},
	{Rule: finding.Rule{ID: "load/died", Severity: finding.Critical,
		Doc: "server exited under load\n\nThe process exited or the connection was lost while calls were in flight. " +
			"The stderr output of the server may contain the reason."},
		Holds: func(s *Summary) error {
			if s.Died == "" {
				return nil
			}
			return fmt.Errorf("after %d calls: %s", s.Calls, s.Died)
		}},
	{Rule: finding.Rule{ID: "load/errors", Severity: finding.Error,
		Doc: "more than 1 % of calls failed\n\nMore than one call in a hundred ended in an error or timed out. A " +
			"threshold on errors, such as errors<5%, replaces this rule."},
		Holds: func(s *Summary) error {
			if s.Errors+s.Unsent == 0 || s.errorPercent() < errorShare {
				return nil
			}
			return fmt.Errorf("%d of %d calls failed, %d more could not be sent", s.Errors, s.Calls, s.Unsent)
		}},
	{Rule: finding.Rule{ID: "load/memory-growth", Severity: finding.Warning,
		Doc: "memory grows during the run\n\nThe process needed more memory in each quarter of the run and had not " +
			"leveled off at its end. A longer run shows whether it is a leak; --threshold 'memory_growth<20MB' turns " +
			"this into a gate."},
		Holds: func(s *Summary) error {
			if s.Process == nil || !s.Process.MemoryGrows {
				return nil
			}
			return fmt.Errorf("memory grew by %.1f MiB, from %.1f MiB", s.Process.MemoryMB(),
				float64(s.Process.MemoryBefore)/(1<<20))
		}},
	{Rule: finding.Rule{ID: "load/handles-growth", Severity: finding.Warning,
		Doc: "open file handles grow during the run\n\nThe process had more files and sockets open in each quarter " +
			"of the run and had not leveled off at its end: calls leak handles until no more can be opened. " +
			"--threshold 'handles_growth<10' turns this into a gate."},
		Holds: func(s *Summary) error {
			if s.Process == nil || !s.Process.HandlesGrow {
				return nil
			}
			return fmt.Errorf("open files grew by %d, from %d", s.Process.Handles(), s.Process.HandlesBefore)
		}},
}

// Rules lists the rules for loads.
func Rules() []finding.Rule {
	all := []finding.Rule{ruleThreshold}
	for _, t := range always {
		all = append(all, t.Rule)
	}
	return all
}
