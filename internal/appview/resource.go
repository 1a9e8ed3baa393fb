package appview

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// MIMEType is the only type of a view.
const MIMEType = "text/html;profile=mcp-app"

// maxHTML limits the size of a view; the largest official example has 4.3 MB.
const maxHTML = 16 << 20

// A Resource is a view as its server declares it.
type Resource struct {
	URI         string
	HTML        []byte
	CSP         CSP
	Permissions []string // of permissionNames
	Problems    []string // declarations that were ignored
}

// permissionNames are the permissions of a view, with the name of the browser feature.
var permissionNames = []struct{ name, feature string }{
	{"camera", "camera"}, {"microphone", "microphone"}, {"geolocation", "geolocation"},
	{"clipboardWrite", "clipboard-write"},
}

// ReadResource reads a view from the result of resources/read. The entry of resources/list, which may be nil, declares
// what the content does not.
func ReadResource(uri string, entry, result json.RawMessage) (*Resource, error) {
	if !strings.HasPrefix(uri, "ui://") {
		return nil, fmt.Errorf("resourceUri: expected ui://…, got %q", clip.Text(uri, 100))
	}
	content, err := contentOf(uri, result)
	if err != nil {
		return nil, err
	}
	r := &Resource{URI: uri}
	if r.HTML, err = htmlOf(content); err != nil {
		return nil, err
	}
	declared := func(name string) json.RawMessage {
		for _, from := range []json.RawMessage{content, entry} {
			if raw, ok := schema.Get(from, "/_meta/ui/"+name); ok {
				return raw
			}
		}
		return nil
	}
	r.CSP = readCSP(declared("csp"), &r.Problems)
	r.readPermissions(declared("permissions"))
	return r, nil
}

// contentOf returns the content of the URI.
func contentOf(uri string, result json.RawMessage) (json.RawMessage, error) {
	list, _ := schema.Get(result, "/contents")
	elements, _ := schema.Elements(list)
	for _, c := range elements {
		if schema.TextAt(c, "/uri") != uri {
			continue
		}
		if got := schema.TextAt(c, "/mimeType"); got != MIMEType {
			return nil, fmt.Errorf("mimeType of %s: expected %q, got %q", clip.Text(uri, 100), MIMEType,
				clip.Text(got, 100))
		}
		return c, nil
	}
	return nil, fmt.Errorf("resources/read: no content with the URI %s", clip.Text(uri, 100))
}

func htmlOf(content json.RawMessage) ([]byte, error) {
	raw, isText := schema.Get(content, "/text")
	if !isText {
		raw, _ = schema.Get(content, "/blob")
	}
	if len(raw) > 2*maxHTML {
		return nil, fmt.Errorf("the view is larger than %d MB", maxHTML>>20)
	}
	text, ok := schema.Text(raw)
	if !ok {
		return nil, errors.New("the content of the view has neither text nor blob")
	}
	html := []byte(text)
	if !isText {
		var err error
		if html, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, fmt.Errorf("blob of the view: %w", err)
		}
	}
	if len(html) > maxHTML {
		return nil, fmt.Errorf("the view is larger than %d MB", maxHTML>>20)
	}
	return html, nil
}

func (r *Resource) readPermissions(declared json.RawMessage) {
	members, _ := schema.Members(declared)
	for _, m := range members[:min(len(members), maxEntries)] {
		known := slices.ContainsFunc(permissionNames, func(p struct{ name, feature string }) bool {
			return p.name == m.Name
		})
		switch {
		case !known || schema.Kind(m.Value) != '{':
			r.Problems = append(r.Problems, fmt.Sprintf("permissions: ignored %q", clip.Text(m.Name, 40)))
		case !slices.Contains(r.Permissions, m.Name):
			r.Permissions = append(r.Permissions, m.Name)
		}
	}
}

// Features returns the browser features of the permissions, for the allow attribute of a frame.
func (r *Resource) Features() []string {
	all := []string{}
	for _, p := range permissionNames {
		if slices.Contains(r.Permissions, p.name) {
			all = append(all, p.feature)
		}
	}
	return all
}
