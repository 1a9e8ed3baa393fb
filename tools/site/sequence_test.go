package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSequenceDiagram(t *testing.T) {
	page, err := drawDiagrams("<p>before</p><pre><code class=\"language-mermaid\">sequenceDiagram\n" +
		"    participant A as client &lt;1&gt;\n    participant B as server\n    A-&gt;&gt;B: ask\n    B--&gt;&gt;A: &lt;b&gt;\n" +
		"</code></pre><pre><code>other</code></pre>")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<p>before</p><figure", "client &lt;1&gt;</text>", ">ask</text>", ">&lt;b&gt;</text>",
		`class="request"`, `class="response"`, "client &lt;1&gt; to server: ask.", "<pre><code>other</code></pre>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Count(page, "<path") != 2 {
		t.Errorf("expected two arrows:\n%s", page)
	}
	if _, err := drawDiagrams(`<pre><code class="language-mermaid">graph TD</code></pre>`); err == nil {
		t.Error("another kind of diagram: expected an error")
	}
}

// Every diagram of the documentation is a picture on the site.
func TestDiagramsAreDrawn(t *testing.T) {
	site := built(t)
	for _, page := range []string{"auth.html", filepath.Join("howto", "call.html")} {
		text, err := os.ReadFile(filepath.Join(site, page))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), `<figure class="sequence"`) || strings.Contains(string(text), "language-mermaid") {
			t.Errorf("%s has no picture of its diagram", page)
		}
	}
}
