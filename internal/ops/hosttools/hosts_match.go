package hosttools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// A matcher finds the tools of a server among those that a model got, and compares them with the profile of the host.
type matcher struct {
	host    hostrun.Host
	profile hosts.Profile
	server  string
	sent    []hosts.Tool
	seen    []hosts.Tool // as the profile foresees
}

func newMatcher(h hostrun.Host, server string, tools []json.RawMessage) *matcher {
	m := &matcher{host: h, server: server}
	m.profile, _ = hosts.Find(h.ID)
	for _, raw := range tools {
		sent := hosts.Read(raw)
		m.sent, m.seen = append(m.sent, sent), append(m.seen, hosts.View(m.profile, server, sent))
	}
	return m
}

// find returns the tool of the server with a name: the one that the profile foresees, or else one whose name ends with
// it.
func (m *matcher) find(given []hosts.Tool, name string) (hosts.Tool, bool) {
	i := slices.IndexFunc(m.sent, func(t hosts.Tool) bool { return t.Name == name })
	if i < 0 {
		return hosts.Tool{}, false
	}
	for _, t := range given {
		if t.Name == m.seen[i].Name && t.Namespace == m.seen[i].Namespace {
			return t, true
		}
	}
	foreseen := func(t hosts.Tool) bool {
		return slices.ContainsFunc(m.seen, func(s hosts.Tool) bool {
			return s.Lost == "" && s.Name == t.Name && s.Namespace == t.Namespace
		})
	}
	for _, t := range given {
		if m.host.Owns(m.server, t) && strings.HasSuffix(t.Name, name) && !foreseen(t) {
			return t, true
		}
	}
	return hosts.Tool{}, false
}

// compare returns what a run shows, and where it differs from the profile.
func (m *matcher) compare(run *hostrun.Run) HostRun {
	r := HostRun{Host: m.profile.ID, Name: m.profile.Name, ProfileVersion: m.profile.Version,
		ProfileDate: m.profile.Checked, Listed: len(m.sent), Run: run, noModel: run.Requests == 0}
	r.Lost = len(run.Tools) == 0 && len(m.sent) > 0
	blame := m.foreseenLoss(run)
	switch {
	case r.Lost && blame == "" && !r.noModel:
		r.Differs = append(r.Differs, "the server is lost, but not in the profile")
	case !r.Lost && blame != "":
		r.Differs = append(r.Differs, fmt.Sprintf("the server is not lost; profile: %s", blame))
	}
	if r.Lost || blame != "" {
		return r
	}
	for i, sent := range m.sent {
		given, found := m.find(run.Tools, sent.Name)
		if !found {
			r.Missing = append(r.Missing, sent.Name)
			if !slices.Contains(run.Session.Listed, sent.Name) { // of no concern to the profile of a tool
				r.Unread++
				continue
			}
		}
		if why := m.difference(m.seen[i], given, found); why != "" {
			r.Differs = append(r.Differs, sent.Name+": "+why)
		}
	}
	return r
}

// foreseenLoss returns why the profile has no tool of the server; empty if it has some.
func (m *matcher) foreseenLoss(run *hostrun.Run) string {
	arrivals := hosts.Arrivals(m.server, m.sent, nil)
	if run.Session.Noise > 0 {
		arrivals = hosts.WithOutput(arrivals, run.Session.Noise == run.Session.Banner)
	}
	for _, a := range arrivals {
		if a.Host == m.profile.ID && a.Blame != nil {
			return strings.TrimSpace(a.Blame.Tool + " " + a.Blame.Why)
		}
	}
	return ""
}

// difference compares a tool with the profile.
func (m *matcher) difference(foreseen, given hosts.Tool, found bool) string {
	switch {
	case foreseen.Unknown != "":
		return ""
	case !found && foreseen.Lost == "":
		return "does not arrive, but in the profile"
	case !found:
		return ""
	case foreseen.Lost != "":
		return "arrives; profile: " + foreseen.Lost
	case given.Name != foreseen.Name || given.Namespace != foreseen.Namespace:
		return fmt.Sprintf("the name is %s, profile %s", given.Name, foreseen.Name)
	case given.Description != foreseen.Description:
		return fmt.Sprintf("the description is %q, profile %q", clip.Text(given.Description, 100),
			clip.Text(foreseen.Description, 100))
	}
	return hosts.SchemaDifference(given.Schema, foreseen.Schema)
}
