package conform

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// All asks for every revision that the server speaks.
const All = "all"

// Options say what runs and what may be done to the server. The zero value runs every check in the newest revision that
// the server speaks, calls only safe tools, and disturbs nobody else's server.
type Options struct {
	Rules    []string         // run only these: ids, families, globs
	Skip     []string         // and never these
	Protocol string           // Auto (or empty), All, or a revision
	Severity finding.Severity // findings below it are dropped, those at or above it count; empty for the usual rule
	Version  string           // of the program, for the report and the client's name

	Permit          safety.Permit // tools that may be called although they are not safe
	OpenWorld       int           // calls of a tool that reaches others; 0 means safety.OpenWorldCalls
	AllowDisruptive bool          // disruptive checks may run against a server that is neither a process of ours nor on this machine

	Processes Processes // that the server allows at a time

	Timeout time.Duration // silence that fails a request; 0 means 5 s
	Start   time.Duration // the same for the first, to a process that may have to be installed before it answers; 0 means a minute
	Within  time.Duration // for the whole run; 0 means two minutes
	Quiet   time.Duration // how long to listen where nothing should come; 0 means 300 ms

	Log   *wire.Transcript // where frames are recorded; nil for a transcript of its own
	Shown string           // the target as it stands in a command
	Step  func(Step)       // hears how far the run has come; may be nil
}

// A Step is how far a run has come.
type Step struct {
	Done, Total, Findings int
	Text                  string // what ended last
}

// Patience of a run unless told otherwise.
const (
	defaultTimeout = 5 * time.Second
	defaultWithin  = 2 * time.Minute
	defaultQuiet   = 300 * time.Millisecond
	checkTimeout   = 30 * time.Second // of one check, whatever it waits for; more where a request has more
)

// filled is the options with their defaults.
func (o *Options) filled() Options {
	var f Options
	if o != nil {
		f = *o
	}
	if f.Timeout <= 0 {
		f.Timeout = defaultTimeout
	}
	f.Start = timeout.Or(f.Start)
	if f.Within <= 0 {
		f.Within = defaultWithin
	}
	if f.Quiet <= 0 {
		f.Quiet = defaultQuiet
	}
	if f.Log == nil {
		f.Log = wire.NewTranscript(nil)
	}
	if f.Protocol == "" {
		f.Protocol = mcp.Auto
	}
	return f
}

// A SelectionError says which selection means nothing, and what would.
type SelectionError struct{ Problem, Want string }

// Error is both in one line.
func (e *SelectionError) Error() string { return e.Problem + "; want " + e.Want }

// Validate refuses selections that mean nothing, so that a misspelled rule is not taken for a clean run. The error is a
// [*SelectionError].
func (o *Options) Validate() error {
	for _, pattern := range slices.Concat(o.Rules, o.Skip) {
		if !slices.ContainsFunc(Checks(), func(c *Check) bool { return finding.Matches(c.ID, pattern) }) {
			return &SelectionError{fmt.Sprintf("no check matches %q", pattern), "one of those that mcptest rules lists"}
		}
	}
	if _, known := spec.Find(o.Protocol); !known && o.Protocol != "" && o.Protocol != mcp.Auto && o.Protocol != All {
		return &SelectionError{fmt.Sprintf("--protocol is %q", o.Protocol), "auto, all, or one of " + strings.Join(spec.IDs(), ", ")}
	}
	if o.Severity != "" && o.Severity.Rank() == 0 {
		return &SelectionError{fmt.Sprintf("there is no severity %q", o.Severity), "info, warning, error or critical"}
	}
	return nil
}

// selected lists the checks to run.
func (o *Options) selected() []*Check {
	return slices.DeleteFunc(Checks(), func(c *Check) bool {
		return finding.MatchesAny(c.ID, o.Skip) || len(o.Rules) > 0 && !finding.MatchesAny(c.ID, o.Rules)
	})
}

// Counts reports whether a finding is reason for a failing exit: an error is, and anything that is not below the severity
// that was asked for.
func (o *Options) Counts(f finding.Finding) bool {
	if o != nil && o.Severity != "" {
		return f.Severity.AtLeast(o.Severity)
	}
	return f.Severity.AtLeast(finding.Error)
}

// near reports whether the target is a process of ours or on this machine, where nobody else is disturbed.
func near(t wire.Target) bool {
	if t.URL == "" {
		return true
	}
	u, err := url.Parse(t.URL)
	return err == nil && isLoopback(u)
}

// isLoopback reports whether an address is on this machine.
func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
