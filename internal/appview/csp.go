package appview

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of what a server may declare.
const (
	maxEntries = 64
	maxEntry   = 256
)

// A CSP lists the origins that a view may reach. Only valid entries are in it.
type CSP struct {
	ConnectDomains  []string `json:"connectDomains,omitempty"`
	ResourceDomains []string `json:"resourceDomains,omitempty"`
	FrameDomains    []string `json:"frameDomains,omitempty"`
	BaseURIDomains  []string `json:"baseUriDomains,omitempty"`

	// Reference allows eval, and code from blob: and data: URLs, as the reference host of the specification does and the
	// specification itself does not. It allows no other origin: a view may run any code anyway, since inline scripts are
	// allowed.
	Reference bool `json:"-"`
}

// validEntry matches an origin that is reached with TLS. Everything else could widen the policy: a path or a space ends
// the entry, a quote or a semicolon starts another directive, http could reach this machine.
var validEntry = lazyregexp.New(`^(https|wss)://(\*\.)?([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)*` +
	`[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(:[0-9]{1,5})?$`)

// readCSP reads a declaration, and reports the entries that it ignores.
func readCSP(declared json.RawMessage, problems *[]string) CSP {
	list := func(name string) []string {
		raw, ok := schema.Get(declared, "/"+name)
		if !ok {
			return nil
		}
		elements, err := schema.Elements(raw)
		if err != nil {
			*problems = append(*problems, "csp."+name+": expected a list")
			return nil
		}
		if len(elements) > maxEntries {
			*problems = append(*problems, fmt.Sprintf("csp.%s: only the first %d entries are used", name, maxEntries))
			elements = elements[:maxEntries]
		}
		var valid []string
		for _, e := range elements {
			text, _ := schema.Text(e)
			if len(text) > maxEntry || !validEntry().MatchString(text) {
				*problems = append(*problems, fmt.Sprintf("csp.%s: ignored %s: expected an https or wss origin, such as "+
					"https://*.example.com", name, clip.Text(string(e), 80)))
				continue
			}
			valid = append(valid, text)
		}
		return valid
	}
	return CSP{ConnectDomains: list("connectDomains"), ResourceDomains: list("resourceDomains"),
		FrameDomains: list("frameDomains"), BaseURIDomains: list("baseUriDomains")}
}

// policy returns the Content-Security-Policy of a view: the default of the specification, and what is declared. The
// view may be framed only by the ancestors. Reports of blocked loads are sent to the path report.
func (c CSP) policy(ancestors []string, report string) string {
	sources := func(fixed, reference string, declared []string) string {
		if c.Reference {
			fixed += " " + reference
		}
		return strings.Join(append([]string{fixed}, declared...), " ")
	}
	or := func(declared []string, none string) string {
		if len(declared) == 0 {
			return none
		}
		return strings.Join(declared, " ")
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + sources("'self' 'unsafe-inline'", "'unsafe-eval' blob: data:", c.ResourceDomains), // also of workers
		"style-src " + sources("'self' 'unsafe-inline'", "blob: data:", c.ResourceDomains),
		"img-src " + sources("'self' data:", "blob:", c.ResourceDomains),
		"media-src " + sources("'self' data:", "blob:", c.ResourceDomains),
		"font-src " + sources("'self'", "blob: data:", c.ResourceDomains),
		"connect-src " + or(c.ConnectDomains, "'none'"),
		"frame-src " + or(c.FrameDomains, "'none'"),
		"base-uri " + or(c.BaseURIDomains, "'self'"),
		"object-src 'none'",
		"form-action 'none'",
		"frame-ancestors " + strings.Join(ancestors, " "),
		"sandbox " + Sandboxed,
		"report-uri " + report,
	}, "; ")
}

// connections returns the Connection-Allowlist of a view. Browsers that support it also prevent connections that no policy
// covers, such as those of WebRTC.
func (c CSP) connections() string {
	all := []string{"response-origin"}
	for _, entry := range slices.Concat(c.ConnectDomains, c.ResourceDomains, c.FrameDomains) {
		all = append(all, `"`+entry+`"`)
	}
	return "(" + strings.Join(all, " ") + ")"
}

// Sandboxed lists what the frame of a view allows: no popups, downloads, dialogs, nor navigation of the page. Forms are
// allowed for their submit event; the policy prevents that they are sent.
const Sandboxed = "allow-scripts allow-same-origin allow-forms"
