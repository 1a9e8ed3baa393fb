package apps

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The lists of a csp declaration.
const (
	Connect  = "connectDomains"
	Resource = "resourceDomains"
	Frame    = "frameDomains"
	Base     = "baseUriDomains"
)

var cspLists = []string{Connect, Resource, Frame, Base}

// permissions are those that a view can request.
var permissions = []string{"camera", "microphone", "geolocation", "clipboardWrite"}

// maxEntries is how many entries of a list are examined.
const maxEntries = 200

// entryForm matches an origin of a content security policy: * only as its leftmost label.
var entryForm = lazyregexp.New(`^(https|wss)://(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:([0-9]{1,5}|\*))?$`)

// CSPProblems finds faults in the csp of _meta.ui: entries that would change the policy, and entries that hosts ignore.
func CSPProblems(settings json.RawMessage) []Problem {
	csp, ok := schema.Get(settings, "/csp")
	if !ok {
		return nil
	}
	members, err := schema.Members(csp)
	if err != nil {
		return []Problem{problem("/csp", "csp is %s, expected an object", brief(csp))}
	}
	var all []Problem
	for _, m := range members {
		at := "/csp/" + schema.Token(m.Name)
		if !slices.Contains(cspLists, m.Name) {
			p := problem(at, "unknown key %s in csp, expected one of %s", clip.Text(m.Name, 40), strings.Join(cspLists, ", "))
			p.Warning = true
			all = append(all, p)
			continue
		}
		entries, err := schema.Elements(m.Value)
		if err != nil || schema.Kind(m.Value) != '[' {
			all = append(all, problem(at, "%s is %s, expected a list of origins", m.Name, brief(m.Value)))
		}
		for i, entry := range entries[:min(len(entries), maxEntries)] {
			if p, wrong := entryProblem(entry); wrong {
				p.Pointer = fmt.Sprintf("%s/%d", at, i)
				all = append(all, p)
			}
		}
	}
	return all
}

// entryProblem finds the fault of one entry. Characters that end an entry or a directive are violations; other forms
// are ignored by hosts that check entries.
func entryProblem(raw json.RawMessage) (Problem, bool) {
	const expected = "expected an origin such as https://api.example.com or https://*.example.com"
	entry, isText := schema.Text(raw)
	switch {
	case !isText:
		return problem("", "csp entry is %s, %s", brief(raw), expected), true
	case strings.ContainsAny(entry, " \t\r\n;,'\"") || entry == "*" || entry == "":
		return problem("", "csp entry %s would change the policy itself, %s", brief(raw), expected), true
	case !entryForm().MatchString(entry):
		p := problem("", "csp entry %s is not an https or wss origin, and hosts may ignore it, %s", brief(raw), expected)
		p.Warning = true
		return p, true
	}
	return Problem{}, false
}

// FrameProblems finds frameDomains, which not every host supports.
func FrameProblems(settings json.RawMessage) []Problem {
	raw, _ := schema.Get(settings, "/csp/frameDomains")
	if entries, _ := schema.Elements(raw); len(entries) == 0 {
		return nil
	}
	return []Problem{problem("/csp/frameDomains", "the view embeds other pages (frameDomains), which claude.ai did not "+
		"support in May 2026, expected a view that also works without them")}
}

// DomainProblems finds a domain that only one host accepts, or none.
func DomainProblems(settings json.RawMessage) []Problem {
	raw, ok := schema.Get(settings, "/domain")
	if !ok {
		return nil
	}
	domain, _ := schema.Text(raw)
	p := problem("/domain", "domain is %s, expected an https origin for ChatGPT or a subdomain of claudemcpcontent.com "+
		"for Claude", brief(raw))
	u, err := url.Parse(domain)
	switch {
	case strings.HasSuffix(domain, ".claudemcpcontent.com") && !strings.Contains(domain, "/"):
		p = problem("/domain", "domain is in the form of Claude, so ChatGPT does not accept it, expected the form of the "+
			"host that is connected")
	case err == nil && u.Scheme == "https" && u.Host != "" && strings.Trim(u.Path, "/") == "":
		p = problem("/domain", "domain is in the form of ChatGPT, so Claude does not accept it, expected the form of the "+
			"host that is connected")
	default:
		p.Warning = true
	}
	return []Problem{p}
}

// PermissionProblems finds permissions that do not exist.
func PermissionProblems(settings json.RawMessage) []Problem {
	raw, ok := schema.Get(settings, "/permissions")
	if !ok {
		return nil
	}
	members, err := schema.Members(raw)
	if err != nil {
		return []Problem{problem("/permissions", "permissions is %s, expected an object", brief(raw))}
	}
	var all []Problem
	for _, m := range members {
		switch at := "/permissions/" + schema.Token(m.Name); {
		case !slices.Contains(permissions, m.Name):
			all = append(all, problem(at, "unknown permission %s, expected one of %s", clip.Text(m.Name, 40),
				strings.Join(permissions, ", ")))
		case schema.Kind(m.Value) != '{':
			all = append(all, problem(at, "permission %s is %s, expected {}", m.Name, brief(m.Value)))
		}
	}
	return all
}

// Allows reports whether a list of a csp allows to load from an origin.
func Allows(csp json.RawMessage, list, origin string) bool {
	raw, _ := schema.Get(csp, "/"+list)
	entries, _ := schema.Elements(raw)
	scheme, host, _ := strings.Cut(origin, "://")
	for _, e := range entries[:min(len(entries), maxEntries)] {
		entry, _ := schema.Text(e)
		entryScheme, entryHost, found := strings.Cut(strings.TrimRight(entry, "/"), "://")
		if !found || entryScheme != scheme && (entryScheme != "wss" || scheme != "https") {
			continue
		}
		if suffix, any := strings.CutPrefix(entryHost, "*"); strings.EqualFold(entryHost, host) ||
			any && len(suffix) > 1 && strings.HasSuffix(strings.ToLower(host), strings.ToLower(suffix)) {
			return true
		}
	}
	return false
}
