package apps

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Settings of views, and the faults in them.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		settings string
		find     func(json.RawMessage) []Problem
		want     string // pointers, with ? after a warning
	}{
		{`{}`, CSPProblems, ""},
		{`{"csp":{"connectDomains":["https://a.example","wss://*.a.example:8080","https://a.example:*"]}}`, CSPProblems, ""},
		{`{"csp":{"resourceDomains":["https://a.example; script-src *","*","https://a.example 'unsafe-eval'",7,""]}}`,
			CSPProblems, "/csp/resourceDomains/0 /csp/resourceDomains/1 /csp/resourceDomains/2 /csp/resourceDomains/3 " +
				"/csp/resourceDomains/4"},
		{`{"csp":{"resourceDomains":["https://a.example/path","a.example","http://a.example","https://a.*.example"]}}`,
			CSPProblems, "/csp/resourceDomains/0? /csp/resourceDomains/1? /csp/resourceDomains/2? /csp/resourceDomains/3?"},
		{`{"csp":[]}`, CSPProblems, "/csp"},
		{`{"csp":{"connectDomains":"https://a.example","scriptDomains":[]}}`, CSPProblems,
			"/csp/connectDomains /csp/scriptDomains?"},
		{`{"csp":{"frameDomains":[]}}`, FrameProblems, ""},
		{`{"csp":{"frameDomains":["https://a.example"]}}`, FrameProblems, "/csp/frameDomains"},
		{`{"domain":"0a1b.claudemcpcontent.com"}`, DomainProblems, "/domain"},
		{`{"domain":"https://a.example"}`, DomainProblems, "/domain"},
		{`{"domain":"a.example"}`, DomainProblems, "/domain?"},
		{`{"permissions":{"camera":{},"clipboardWrite":{}}}`, PermissionProblems, ""},
		{`{"permissions":{"camera":true,"usb":{}}}`, PermissionProblems, "/permissions/camera /permissions/usb"},
		{`{"permissions":["camera"]}`, PermissionProblems, "/permissions"},
	} {
		var got []string
		for _, p := range c.find(json.RawMessage(c.settings)) {
			if p.Warning {
				p.Pointer += "?"
			}
			got = append(got, p.Pointer)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %s", c.settings, got, c.want)
		}
	}
}

// What a view loads: from elements, style sheets and literal URLs in scripts, but not links and other strings.
func TestLoads(t *testing.T) {
	const html = `<!DOCTYPE html><html><head>
<script src="https://cdn.example.com/lib.js"></script><SCRIPT>
const ns = "http://www.w3.org/2000/svg"; const s = '<img src="https://in-a-string.example/x.png">';
fetch("https://api.example.com/v1?x=1"); new WebSocket('wss://live.example.com/'); fetch(base + "/x");
import("https://esm.example.com/a.js");
</SCRIPT>
<link rel="stylesheet" href="//fonts.example.com/a.css"><link rel="canonical" href="https://other.example">
<style>@import "https://css.example.com/b.css"; body { background: url(https://img.example.com/b.png) }</style></head>
<body><a href="https://link.example">x</a><img src='https://cdn.example.com/1.png'><img src="data:image/png;base64,AA">
<iframe src="https://player.example.com/v"></iframe></body></html>`
	want := []Load{{"https://cdn.example.com", Resource, "<script>"}, {"https://fonts.example.com", Resource, "<link>"},
		{"https://player.example.com", Frame, "<iframe>"}, {"https://css.example.com", Resource, "a style sheet"},
		{"https://img.example.com", Resource, "a style sheet"}, {"https://api.example.com", Connect, "fetch"},
		{"wss://live.example.com", Connect, "WebSocket"}, {"https://esm.example.com", Resource, "import"}}
	if got := Loads(html); !slices.Equal(got, want) {
		t.Errorf("loads %v\nwant %v", got, want)
	}
	if got := Loads("<script>unclosed fetch('https://a.example')"); len(got) != 1 {
		t.Errorf("loads of an unclosed script: %v", got)
	}
	for entry, allowed := range map[string]bool{"https://cdn.example.com": true, "https://*.example.com": true,
		"https://example.com": false, "wss://cdn.example.com": true, "http://cdn.example.com": false, "*": false,
		"https://*": false} {
		csp := json.RawMessage(fmt.Sprintf(`{"resourceDomains":[%q]}`, entry))
		if Allows(csp, Resource, "https://cdn.example.com") != allowed {
			t.Errorf("%s allows it: %v", entry, !allowed)
		}
	}
}

// The start of a document, its handshake and its calls.
func TestDocument(t *testing.T) {
	for html, want := range map[string]bool{"<!doctype html><p>": true, "\ufeff\n<!-- a -->\n<!DOCTYPE HTML>": true,
		"<html>": false, "": false, "<p><!doctype html>": false} {
		if HasDoctype(html) != want {
			t.Errorf("doctype of %q: %v", html, !want)
		}
	}
	for html, want := range map[string]bool{`{method:"ui/initialize",clientInfo:1,x:"initialize"}`: false,
		`{method:"initialize",params:{clientInfo:{}}}`: true, `{method:'initialize'}`: false} {
		if WrongHandshake(html) != want {
			t.Errorf("handshake of %s: %v", html, !want)
		}
	}
	got := CalledTools(`a.callServerTool({name:"poll",arguments:{}}); b.callServerTool({ name: 'x-y' }); callServerTool({name:n})`)
	if !slices.Equal(got, []string{"poll", "x-y"}) {
		t.Errorf("calls %q", got)
	}
}
