package conform

import (
	"bytes"
	"os"
	"os/exec"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func stdioMutants() map[string][]mutant {
	return map[string][]mutant{
		"STDIO-001": {{name: "a banner", defect: func(s *exemplar.Server) {
			s.Start = func(l *exemplar.Line) { l.Print("Server ready.\n") }
		}}, {name: "a banner with brackets", defect: func(s *exemplar.Server) {
			s.Start = func(l *exemplar.Line) { l.Print("[INFO] ready\n") }
		}}, {name: "a log line in a call", defect: onCall("count",
			func(c *exemplar.Call) { c.Send([]byte("counting to three")) })},
			{name: "a buffered log line in a call", process: true, only: []string{"2025-11-25"}, defect: buffersLikePython}},
		"STDIO-002": {
			{name: "stays", process: true, patience: 10 * time.Second, only: []string{"2025-11-25"}, defect: stays},
			{name: "waits for an answer", process: true, patience: 10 * time.Second, only: []string{"2025-11-25"},
				defect: func(s *exemplar.Server) {
					stays(s)
					stay := s.End
					s.End = func(l *exemplar.Line) { // too late for any check to take it for its own
						l.Write([]byte(`{"jsonrpc":"2.0","id":"where","method":"roots/list"}`))
						stay(l)
					}
				}},
		},
		"STDIO-003": {{name: "pretty", also: []string{"STDIO-001", "RPC-013"},
			defect: first("tools/list", func(c *exemplar.Call) {
				c.Send([]byte("{\"jsonrpc\":\"2.0\",\n\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":1}}"))
			})}},
		"STDIO-004": {{name: "deaf after it", defect: deafAfter(func(line []byte) bool { return len(line) == 0 })}},
		"STDIO-005": {{name: "drops", defect: drops(func(line []byte) bool {
			return bytes.HasSuffix(line,
				[]byte("\r"))
		})}},
		"STDIO-006": {{name: "drops", defect: drops(contains(`"mcptest-second"`))}},
		"STDIO-007": {{name: "drops", defect: drops(func(line []byte) bool { return len(line) > 1<<19 })}},
		"STDIO-008": {{name: "a mark", defect: answer("resources/list", func(_ *exemplar.Call, r []byte) []byte {
			return append([]byte("\uFEFF"), r...)
		})}},
		"STDIO-009": {{name: "CR LF", defect: answer("resources/list", func(_ *exemplar.Call, r []byte) []byte {
			return append(r, '\r')
		})}},
		"STDIO-011": {{name: "a helper", process: true, only: []string{"2025-11-25"}, defect: func(s *exemplar.Server) {
			s.End = func(*exemplar.Line) {
				helper := exec.Command(os.Args[0])
				helper.Env = []string{mutantVariable + "=" + helperName}
				_ = helper.Start()
			}
		}}},
		"STDIO-010": {{name: "deaf after it", defect: deafAfter(contains("\xff"))}},
	}
}

// buffersLikePython is a server whose output appears at once only if the environment says so, as in Python.
func buffersLikePython(s *exemplar.Server) {
	if os.Getenv("PYTHONUNBUFFERED") != "" {
		onCall("count", func(c *exemplar.Call) { c.Send([]byte("counting to three")) })(s)
	}
}

// stays is a server that does not end with its input.
func stays(s *exemplar.Server) { s.End = func(*exemplar.Line) { time.Sleep(time.Minute) } }

// drops is a server on a pipe that does not see some lines.
func drops(which func(line []byte) bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Input = func(_ *exemplar.Line, line []byte) bool { return which(line) }
	}
}
