package appview

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// A Blocked is a load that the policy of a view has prevented.
type Blocked struct {
	Directive string `json:"directive"` // such as img-src
	URI       string `json:"uri"`       // or inline, eval, data, blob
	Source    string `json:"source,omitempty"`
	Line      int    `json:"line,omitempty"`
	List      string `json:"list,omitempty"`  // the list of _meta.ui.csp in which an entry is missing
	Entry     string `json:"entry,omitempty"` // the entry that would allow it; empty if none can
	Count     int    `json:"count"`
}

// lists are the lists of _meta.ui.csp that allow the loads of a directive.
var lists = map[string]string{
	"script-src": "resourceDomains", "style-src": "resourceDomains", "img-src": "resourceDomains",
	"media-src": "resourceDomains", "font-src": "resourceDomains", "connect-src": "connectDomains",
	"frame-src": "frameDomains", "base-uri": "baseUriDomains",
}

// readReport reads the report of a browser, in the format of report-uri.
func readReport(body []byte) (Blocked, bool) {
	var in struct {
		Report struct {
			Effective string `json:"effective-directive"`
			Violated  string `json:"violated-directive"`
			URI       string `json:"blocked-uri"`
			Source    string `json:"source-file"`
			Line      int    `json:"line-number"`
		} `json:"csp-report"`
	}
	if json.Unmarshal(body, &in) != nil {
		return Blocked{}, false
	}
	r := in.Report
	directive := r.Effective
	if directive == "" { // Firefox
		directive, _, _ = strings.Cut(r.Violated, " ")
	}
	if directive == "" {
		return Blocked{}, false
	}
	b := Blocked{Directive: clip.Text(directive, 40), URI: clip.Text(r.URI, 500), Source: clip.Text(r.Source, 200),
		Line: r.Line, Count: 1}
	b.List, b.Entry = missing(directive, r.URI)
	return b, true
}

// missing returns the entry that would allow a load.
func missing(directive, uri string) (list, entry string) {
	u, err := url.Parse(uri)
	base := strings.TrimSuffix(strings.TrimSuffix(directive, "-elem"), "-attr")
	list = lists[base]
	if err != nil || list == "" || u.Host == "" {
		return "", ""
	}
	if entry = u.Scheme + "://" + u.Host; !validEntry().MatchString(entry) {
		return "", ""
	}
	return list, entry
}
