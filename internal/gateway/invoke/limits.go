package invoke

import (
	"slices"
	"time"
)

// Limits are the settings that may change while an invoker is in use.
type Limits struct {
	Timeout       time.Duration
	Hosts         []string
	Rules         []Rule
	RedactResults bool // secrets are removed from tool results
}

// SetLimits replaces the limits, from the next invocation on.
func (v *Invoker) SetLimits(l Limits) { v.limits.Store(&l) }

func (v *Invoker) now() Limits {
	if l := v.limits.Load(); l != nil {
		return *l
	}
	return Limits{Timeout: v.Timeout, Hosts: v.Hosts, RedactResults: v.RedactResults, Rules: v.Rules}
}

// Limit is the timeout of a tool that sets none.
func (v *Invoker) Limit() time.Duration {
	if t := v.now().Timeout; t > 0 {
		return t
	}
	return DefaultTimeout
}

// reaches reports whether a tool may connect to a host by one of its names.
func (v *Invoker) reaches(names ...string) bool {
	hosts := v.now().Hosts
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(hosts, name) })
}
