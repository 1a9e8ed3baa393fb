package appview

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestReadTool(t *testing.T) {
	for _, c := range []struct {
		definition, uri string
		forApp          bool
	}{
		{`{"name":"a"}`, "", true},
		{`{"_meta":{"ui":{"resourceUri":"ui://a","visibility":["app"]}}}`, "ui://a", true},
		{`{"_meta":{"ui":{"resourceUri":"ui://a","visibility":["model"]}}}`, "ui://a", false},
		{`{"_meta":{"ui":{"visibility":[]}}}`, "", false},
		{`{"_meta":{"ui":{"visibility":"app"}}}`, "", false},
		{`{"_meta":{"ui":{"visibility":["App"]}}}`, "", false},
		{`{"_meta":{"ui/resourceUri":"ui://old"}}`, "ui://old", true},
	} {
		got := ReadTool(json.RawMessage(c.definition))
		if got.ResourceURI != c.uri || got.ForApp() != c.forApp {
			t.Errorf("%s: URI %q, for apps %v; expected %q, %v", c.definition, got.ResourceURI, got.ForApp(), c.uri, c.forApp)
		}
	}
}

// read wraps a content in a result.
func read(t *testing.T, content, entry string) (*Resource, error) {
	t.Helper()
	return ReadResource("ui://v", json.RawMessage(entry), json.RawMessage(`{"contents":[`+content+`]}`))
}

const page = `"uri":"ui://v","mimeType":"text/html;profile=mcp-app","text":"<!doctype html>"`

func TestReadResource(t *testing.T) {
	r, err := read(t, `{`+page+`,"_meta":{"ui":{"csp":{"connectDomains":["https://a.example"]}}}}`,
		`{"_meta":{"ui":{"csp":{"connectDomains":["https://b.example"]},"permissions":{"camera":{},"usb":{}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.CSP.ConnectDomains, []string{"https://a.example"}) {
		t.Errorf("connectDomains = %v, expected those of the content", r.CSP.ConnectDomains)
	}
	if !slices.Equal(r.Permissions, []string{"camera"}) || len(r.Problems) != 1 {
		t.Errorf("permissions %v, problems %q; expected camera of the list, and usb ignored", r.Permissions, r.Problems)
	}
	blob := base64.StdEncoding.EncodeToString([]byte("<p>"))
	if r, err = read(t, `{"uri":"ui://v","mimeType":"text/html;profile=mcp-app","blob":"`+blob+`"}`, ""); err != nil ||
		string(r.HTML) != "<p>" {
		t.Errorf("blob: %v, %v", r, err)
	}
}

func TestRefusedResources(t *testing.T) {
	for content, expected := range map[string]string{
		`{"uri":"ui://other","mimeType":"text/html;profile=mcp-app","text":""}`: "no content with the URI",
		`{"uri":"ui://v","mimeType":"text/html","text":""}`:                     `got "text/html"`,
		`{"uri":"ui://v","mimeType":"text/html+skybridge","text":""}`:           "skybridge",
		`{"uri":"ui://v","mimeType":"text/html;profile=mcp-app"}`:               "neither text nor blob",
		`{"uri":"ui://v","mimeType":"text/html;profile=mcp-app","blob":"!"}`:    "blob of the view",
		`{"uri":"ui://v","mimeType":"text/html;profile=mcp-app","text":"` + strings.Repeat("x",
			maxHTML+1) + `"}`: "larger than 16 MB",
	} {
		if _, err := read(t, content, ""); err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%.80s: error %v, expected %q", content, err, expected)
		}
	}
	if _, err := ReadResource("https://v", nil, nil); err == nil {
		t.Error("a URI other than ui:// was accepted")
	}
}

func TestEntriesCannotWidenThePolicy(t *testing.T) {
	hostile := []string{"*", "https:", "https://*", "https://a.example/path", "https://a.example; script-src *", "'unsafe-eval'",
		"https://a.example https://b.example", "http://127.0.0.1:6280", "data:", "blob:", "https://a.*.example", "https://a,b",
		"https://a.example\n", "//a.example", "a.example", "https://" + strings.Repeat("a.", 200) + "example"}
	for _, entry := range hostile {
		text, _ := json.Marshal(entry)
		r, err := read(t, `{`+page+`,"_meta":{"ui":{"csp":{"connectDomains":[`+string(text)+`],"resourceDomains":[`+
			string(text)+`],"frameDomains":[`+string(text)+`],"baseUriDomains":[`+string(text)+`]}}}}`, "")
		if err != nil {
			t.Fatal(err)
		}
		if got, narrow := r.CSP.policy([]string{"http://p"}, "/r"), (CSP{}).policy([]string{"http://p"}, "/r"); got != narrow {
			t.Errorf("%q: policy\n%s\nexpected the default\n%s", entry, got, narrow)
		}
		if len(r.Problems) != 4 {
			t.Errorf("%q: problems %q, expected 4", entry, r.Problems)
		}
	}
}

// The policy of the reference host differs only in code of the view itself: it allows no other origin.
func TestReferencePolicy(t *testing.T) {
	c := CSP{ResourceDomains: []string{"https://r.example"}}
	narrow := c.policy([]string{"http://p"}, "/report")
	c.Reference = true
	got := strings.Split(c.policy([]string{"http://p"}, "/report"), "; ")
	for i, directive := range strings.Split(narrow, "; ") {
		added := strings.Fields(got[i])
		for _, word := range strings.Fields(directive) {
			added = slices.DeleteFunc(added, func(other string) bool { return other == word })
		}
		want := map[string][]string{"script-src": {"'unsafe-eval'", "blob:", "data:"}, "style-src": {"blob:", "data:"},
			"img-src": {"blob:"}, "media-src": {"blob:"}, "font-src": {"blob:", "data:"}}[strings.Fields(directive)[0]]
		if !slices.Equal(added, want) {
			t.Errorf("%s: added %q, expected %q", directive, added, want)
		}
	}
	if c.connections() != (CSP{ResourceDomains: c.ResourceDomains}).connections() {
		t.Errorf("connections %s", c.connections())
	}
}

// Without a declaration, a view reaches no origin but its own.
func TestDefaultPolicy(t *testing.T) {
	expected := "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
		"media-src 'self' data:; font-src 'self'; connect-src 'none'; frame-src 'none'; base-uri 'self'; object-src 'none'; " +
		"form-action 'none'; frame-ancestors http://p; sandbox allow-scripts allow-same-origin allow-forms; report-uri /report"
	if got := (CSP{}).policy([]string{"http://p"}, "/report"); got != expected {
		t.Errorf("policy\n%s\nexpected\n%s", got, expected)
	}
	for _, c := range []struct {
		csp      CSP
		expected string
	}{
		{CSP{}, "(response-origin)"},
		{CSP{ConnectDomains: []string{"wss://c.example"}, ResourceDomains: []string{"https://r.example"},
			FrameDomains: []string{"https://f.example"}, BaseURIDomains: []string{"https://b.example"}},
			`(response-origin "wss://c.example" "https://r.example" "https://f.example")`},
	} {
		if got := c.csp.connections(); got != c.expected {
			t.Errorf("connections %s, expected %s", got, c.expected)
		}
	}
}

func TestPolicy(t *testing.T) {
	c := CSP{ConnectDomains: []string{"wss://c.example:8443"}, ResourceDomains: []string{"https://*.r.example"},
		FrameDomains: []string{"https://f.example"}, BaseURIDomains: []string{"https://b.example"}}
	expected := "default-src 'none'; script-src 'self' 'unsafe-inline' https://*.r.example; style-src 'self' " +
		"'unsafe-inline' https://*.r.example; img-src 'self' data: https://*.r.example; media-src 'self' data: " +
		"https://*.r.example; font-src 'self' https://*.r.example; connect-src wss://c.example:8443; frame-src " +
		"https://f.example; base-uri https://b.example; object-src 'none'; form-action 'none'; frame-ancestors http://p; " +
		"sandbox allow-scripts allow-same-origin allow-forms; report-uri /report"
	if got := c.policy([]string{"http://p"}, "/report"); got != expected {
		t.Errorf("policy\n%s\nexpected\n%s", got, expected)
	}
}

func TestMissingEntry(t *testing.T) {
	for _, c := range []struct{ directive, uri, list, entry string }{
		{"img-src", "https://tile.example/1/2.png", "resourceDomains", "https://tile.example"},
		{"script-src-elem", "https://cdn.example:8443/a.js", "resourceDomains", "https://cdn.example:8443"},
		{"connect-src", "wss://live.example/x", "connectDomains", "wss://live.example"},
		{"frame-src", "https://f.example", "frameDomains", "https://f.example"},
		{"script-src", "eval", "", ""},
		{"worker-src", "blob", "", ""},
		{"connect-src", "http://127.0.0.1:6280/api", "", ""},
	} {
		if list, entry := missing(c.directive, c.uri); list != c.list || entry != c.entry {
			t.Errorf("%s %s: %q in %q, expected %q in %q", c.directive, c.uri, entry, list, c.entry, c.list)
		}
	}
}
