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

// All requests every revision that the server supports.
const All = "all"

// Options select what to run and what may be done to the server. The zero value runs every check in the newest revision
// that the server supports, calls only safe tools, and runs no disruptive checks against remote servers.
type Options struct {
	Rules    []string         // run only these: IDs, families, globs
	Skip     []string         // skip these
	Protocol string           // Auto (or empty), All, or a revision
	Severity finding.Severity // findings below it are dropped, those at or above it count; empty for the default rule
	Version  string           // of the program, for the report and the client name

	Permit    safety.Permit // tools that may be called although they are not safe
	OpenWorld int           // calls of a tool that affects external systems; 0 means safety.OpenWorldCalls
	// allow disruptive checks against a server that is neither local nor started by mcptest
	AllowDisruptive bool

	// Auth selects the checks of authorization, without a session; nil runs the others
	Auth *AuthOptions

	Processes Processes // how many processes of the server may run at a time

	Timeout time.Duration // request timeout; 0 means 5 s
	// timeout of the first request, to a process that may have to be installed first; 0 means 1 minute
	Start  time.Duration
	Within time.Duration // time limit of the run; 0 means 2 minutes
	Quiet  time.Duration // how long to listen when nothing should arrive; 0 means 300 ms

	// Declare changes which extensions the client declares; nil declares all
	Declare func(*mcp.Options)

	Log   *wire.Transcript // where frames are recorded; nil for a separate transcript
	Shown string           // the target as written in a command
	Step  func(Step)       // receives the progress of the run; may be nil
}

// A Step is the progress of a run.
type Step struct {
	Done, Total, Findings int
	Text                  string // what finished last
}

// Default timeouts of a run.
const (
	defaultTimeout = 5 * time.Second
	defaultWithin  = 2 * time.Minute
	authWithin     = 5 * time.Minute // of a run with [Options.Auth], which sends one request per second
	defaultQuiet   = 300 * time.Millisecond
	checkTimeout   = 30 * time.Second // of one check, whatever it waits for; longer if the request timeout is
)

// filled returns the options with their defaults.
func (o *Options) filled() Options {
	var f Options
	if o != nil {
		f = *o
	}
	if f.Timeout <= 0 {
		f.Timeout = defaultTimeout
	}
	f.Start = timeout.Or(f.Start)
	if f.Within <= 0 && f.Auth != nil {
		f.Within = authWithin
	}
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

// A SelectionError describes an invalid selection, and what is valid.
type SelectionError struct{ Problem, Want string }

// Error returns both in one line.
func (e *SelectionError) Error() string { return e.Problem + ", expected " + e.Want }

// Validate rejects invalid selections, so that a misspelled rule does not look like a clean run. The error is a
// [*SelectionError].
func (o *Options) Validate() error {
	for _, pattern := range slices.Concat(o.Rules, o.Skip) {
		if !slices.ContainsFunc(Checks(), func(c *Check) bool { return finding.Matches(c.ID, pattern) }) {
			return &SelectionError{fmt.Sprintf("no check matches %q", pattern), "a rule listed by mcptest rules"}
		}
	}
	if _, known := spec.Find(o.Protocol); !known && o.Protocol != "" && o.Protocol != mcp.Auto && o.Protocol != All {
		return &SelectionError{fmt.Sprintf("invalid value %q for --protocol", o.Protocol),
			"auto, all, or one of " + strings.Join(spec.IDs(), ", ")}
	}
	if o.Severity != "" && o.Severity.Rank() == 0 {
		return &SelectionError{fmt.Sprintf("unknown severity %q", o.Severity), "info, warning, error or critical"}
	}
	return o.validateAuth()
}

// selected lists the checks to run.
func (o *Options) selected() []*Check {
	return slices.DeleteFunc(Checks(), func(c *Check) bool {
		return o.authExcluded(c) || finding.MatchesAny(c.ID, o.Skip) || len(o.Rules) > 0 && !finding.MatchesAny(c.ID, o.Rules)
	})
}

// OnlyDisruptive reports whether every selected check is disruptive.
func (o *Options) OnlyDisruptive() bool {
	chosen := o.selected()
	return len(chosen) > 0 && !slices.ContainsFunc(chosen, func(c *Check) bool { return !c.Disruptive })
}

// Counts reports whether a finding leads to a failing exit status: an error does, or anything at or above the requested
// severity.
func (o *Options) Counts(f finding.Finding) bool {
	if o != nil && o.Severity != "" {
		return f.Severity.AtLeast(o.Severity)
	}
	return f.Severity.AtLeast(finding.Error)
}

// near reports whether the target is local or a process that mcptest started, so that no other users are disturbed.
func near(t wire.Target) bool {
	if t.URL == "" {
		return true
	}
	u, err := url.Parse(t.URL)
	return err == nil && isLoopback(u)
}

// isLoopback reports whether a URL is local.
func isLoopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
