package load

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// errorShare is the percentage of calls that may fail where no threshold speaks of errors.
const errorShare = 1

var ruleThreshold = finding.Rule{ID: "load/threshold", Severity: finding.Error, Doc: "A threshold does not hold\n\nA figure of the load is not within what was asked for with --threshold, such as p99<50ms."}

// always are the thresholds that apply to every load.
var always = []Threshold{
	{Rule: finding.Rule{ID: "load/mixed-up", Severity: finding.Critical, Doc: "An answer belongs to another call\n\nEach call carried a text of its own, which the tool returns. An answer came back without it: under concurrency the server gives the answer to one call as that to another, and one user may see the data of another. Look for state that calls share."},
		Holds: func(s *Summary) error {
			if s.MixedUp == 0 {
				return nil
			}
			return fmt.Errorf("%d of %d answers were not to the call that they came for", s.MixedUp, s.Checked)
		}},
	{Rule: finding.Rule{ID: "load/deadlock", Severity: finding.Error, Doc: "Calls stay open and none is answered\n\nWith several calls open the server stopped to answer at all. Look for locks that are taken in different orders, pools that calls take from twice, and output that nobody reads. A tool that takes longer than this on purpose needs a longer --silence."},
		Holds: func(s *Summary) error {
			if !s.Deadlock {
				return nil
			}
			return fmt.Errorf("calls were open and none was answered any more; %s", s.Alive)
		}},
	{Rule: finding.Rule{ID: "load/died", Severity: finding.Critical, Doc: "The server ended under the load\n\nThe process exited or the connection broke while calls were open. What it wrote to its standard error may tell why."},
		Holds: func(s *Summary) error {
			if s.Died == "" {
				return nil
			}
			return fmt.Errorf("after %d calls: %s", s.Calls, s.Died)
		}},
	{Rule: finding.Rule{ID: "load/errors", Severity: finding.Error, Doc: "Calls fail under load\n\nMore than one call in a hundred ended in an error or was not answered in time. A threshold on errors, such as errors<5%, takes the place of this rule."},
		Holds: func(s *Summary) error {
			if s.Errors+s.Unsent == 0 || s.errorPercent() < errorShare {
				return nil
			}
			return fmt.Errorf("%d of %d calls failed, %d more could not be sent", s.Errors, s.Calls, s.Unsent)
		}},
	{Rule: finding.Rule{ID: "load/memory-growth", Severity: finding.Warning, Doc: "The server's memory grows with the calls\n\nThe process needed more memory in each quarter of the run and had not levelled off at its end. A longer run shows whether it is a leak; --threshold 'memory_growth<20MB' makes a gate of it."},
		Holds: func(s *Summary) error {
			if s.Process == nil || !s.Process.MemoryGrows {
				return nil
			}
			return fmt.Errorf("memory grew by %.1f MiB, from %.1f MiB", s.Process.MemoryMB(), float64(s.Process.MemoryBefore)/(1<<20))
		}},
	{Rule: finding.Rule{ID: "load/handles-growth", Severity: finding.Warning, Doc: "The server's open files grow with the calls\n\nThe process had more files and sockets open in each quarter of the run and had not levelled off at its end: calls leave some open, and one day no more can be opened. --threshold 'handles_growth<10' makes a gate of it."},
		Holds: func(s *Summary) error {
			if s.Process == nil || !s.Process.HandlesGrow {
				return nil
			}
			return fmt.Errorf("open files grew by %d, from %d", s.Process.Handles(), s.Process.HandlesBefore)
		}},
}

// Rules lists the rules that a load is judged by.
func Rules() []finding.Rule {
	all := []finding.Rule{ruleThreshold}
	for _, t := range always {
		all = append(all, t.Rule)
	}
	return all
}
