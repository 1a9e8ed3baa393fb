package workbench

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A GrantRequest is what the user is asked before an assistant gets something that its surface does not grant. It has
// no text that a server under test supplies, and no secrets.
type GrantRequest struct {
	ID    string // what exactly is asked for: another command, folder, variable or address has another ID
	What  string // such as: start the server "files"
	Lines []target.PermissionLine
	// what an answer for the session grants, if it is more than ID; the lines say so
	Session string
	After   string // the ID of the request that the user granted before this one; empty if it is the first
}

// Question is the whole question, in the words that every surface uses.
func (r *GrantRequest) Question() string {
	text := "The assistant asks to " + r.What + ":\n"
	for _, line := range r.Lines {
		text += fmt.Sprintf("  %s: %s\n", line.Label, line.Text())
	}
	return text + "Allow it?"
}

// What may disturb a remote server. A grant of one is not a grant of another.
const (
	SendLoad   = "load"
	SendFrames = "malformed frames"
	SendBursts = "malformed frames and bursts of requests"
)

// DisturbRequest asks to send load or malformed frames to a server that is not on this machine; nil if it has no URL.
func DisturbRequest(address, how string) *GrantRequest {
	origin, err := OriginOf(address)
	if err != nil {
		return nil
	}
	return &GrantRequest{ID: disturbID(origin, how), What: "send " + how + " to a server that is not on this machine",
		Lines: []target.PermissionLine{{Label: "server", Value: origin}}}
}

func disturbID(origin, how string) string { return "disturb " + origin + " with " + how }

// MayDisturb reports whether the user allowed to send load or malformed frames to a server.
func (w *Workbench) MayDisturb(allowed bool, address, how string) bool {
	if allowed && w.Grants.Disruptive {
		return true
	}
	origin, err := OriginOf(address)
	return err == nil && w.Granted != nil && w.Granted(disturbID(origin, how))
}

// plainName matches names of tools that a question may show: they come from a server under test.
var plainName = lazyregexp.New(`^[A-Za-z0-9_./-]{1,64}$`)

// CallsRequest asks to call tools that are not safe with generated arguments; nil if a name is not fit for a question.
func CallsRequest(t wire.Target, tools []string, calls int) *GrantRequest {
	for _, name := range tools {
		if !plainName().MatchString(name) {
			return nil
		}
	}
	tools = slices.Sorted(slices.Values(tools))
	server := t.String()
	if origin, err := OriginOf(t.URL); err == nil {
		server = origin
	}
	names := strings.Join(tools, ", ")
	exactly := append(append([]string{t.Name, t.URL, t.Dir}, t.Command...), names)
	return &GrantRequest{ID: target.GrantID("call", exactly...),
		What: "call tools that are not safe by their annotations, with generated arguments",
		Lines: []target.PermissionLine{{Label: "server", Value: server}, {Label: "tools", Value: names},
			{Label: "calls of each tool", Value: strconv.Itoa(calls)}}}
}

// OriginOf returns the normalized scheme, host and port of a URL.
func OriginOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", fmt.Errorf("%q is not an http or https origin", address)
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port, nil
}
