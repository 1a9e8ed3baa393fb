package view

import (
	"slices"
	"testing"
)

// The examples of RFC 6570 for values that are texts.
func TestExpand(t *testing.T) {
	values := map[string]string{"var": "value", "hello": "Hello World!", "path": "/foo/bar", "empty": "", "x": "1024",
		"y": "768", "half": "50%", "base": "http://example.com/home/", "v": "6", "who": "fred", "dub": "me/too"}
	for template, want := range map[string]string{
		"{var}": "value", "{hello}": "Hello%20World%21", "{half}": "50%25", "O{empty}X": "OX", "O{undef}X": "OX",
		"{x,y}": "1024,768", "{x,hello,y}": "1024,Hello%20World%21,768",
		"?{x,empty}": "?1024,", "?{x,undef}": "?1024", "{var:3}": "val", "{var:30}": "value", "{+var}": "value",
		"{+hello}": "Hello%20World!", "{+half}": "50%25",
		"{+base}index": "http://example.com/home/index", "{base}index": "http%3A%2F%2Fexample.com%2Fhome%2Findex",
		"{+path}/here": "/foo/bar/here", "{+path:6}/here": "/foo/b/here",
		"{#var}": "#value", "{#path,x}/here": "#/foo/bar,1024/here", "{#hello}": "#Hello%20World!",
		"X{.var}": "X.value", "X{.x,y}": "X.1024.768", "{/who}": "/fred", "{/half,who}": "/50%25/fred",
		"{/var,empty}": "/value/", "{/var,undef}": "/value", "{;x,y}": ";x=1024;y=768",
		"{;x,y,empty}": ";x=1024;y=768;empty", "{;x,y,undef}": ";x=1024;y=768",
		"{?x,y}": "?x=1024&y=768", "{?x,y,empty}": "?x=1024&y=768&empty=", "{?undef}": "",
		"?fixed=yes{&x}": "?fixed=yes&x=1024", "{&x,y,empty}": "&x=1024&y=768&empty=",
		"plain": "plain", "file:///{who}/ü": "file:///fred/%C3%BC", "a%20b": "a%20b",
	} {
		if got := Expand(ExpandInput{Template: template, Values: values}); got.URI != want || got.Problem != "" {
			t.Errorf("Expand(%q) = %q %s, want %q", template, got.URI, got.Problem, want)
		}
	}
	if got := Expand(ExpandInput{Template: "{a}{b}{a}",
		Values: map[string]string{"b": "1"}}); !slices.Equal(got.Missing, []string{"a"}) || got.URI != "1" {
		t.Errorf("missing = %+v, want a", got)
	}
	for _, template := range []string{"{", "{a", "{a b}", "{}", "{a:0}", "{a:x}", "{!a}"} {
		if got := Expand(ExpandInput{Template: template}); got.Problem == "" {
			t.Errorf("Expand(%q) = %+v, want a problem", template, got)
		}
	}
	if got := TemplateVariables("demo://{a}/{+b,c*}{?d:3,a}{"); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("variables are %v", got)
	}
}
