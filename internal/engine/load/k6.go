package load

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

//go:embed k6.js
var k6Body string

// k6Address is the variable that names the server, instead of the address that stands in a script.
const k6Address = "MCPTEST_URL"

// K6 writes the load as a script for k6, which can make it from many machines at once. The requests are those that were
// sent when they were tried. Headers that were given for the server, and an address with a query or a password, are not in
// the script: it takes them from variables of the environment, whose names are returned with it.
func K6(s *mcp.Session, o *Options) (text []byte, wanted []string, err error) {
	target := s.Target()
	if target.URL == "" {
		return nil, nil, fmt.Errorf("%s is not reached by HTTP", target)
	}
	for _, r := range o.Requests {
		if r.sent.Body == nil {
			return nil, nil, errors.New("the requests have not been tried")
		}
	}
	variables := k6Variables(target)
	wanted = slices.Sorted(maps.Values(variables))
	if isSecret(target.URL) {
		wanted = append(wanted, k6Address)
	}
	out := &script{}
	out.heading(o, wanted)
	out.line("import http from 'k6/http';\nimport { check } from 'k6';\nimport { Counter, Rate } from 'k6/metrics';\nimport exec from 'k6/execution';\n")
	out.line("export const options = %s;\n", indented(k6Options(o)))
	if isSecret(target.URL) {
		out.line("const url = wanted('%s');", k6Address)
	} else {
		out.line("const url = __ENV.%s || %s;", k6Address, quoted(target.URL))
	}
	revision := `""`
	if s.Era == mcp.Legacy {
		revision = quoted(s.Version)
	}
	out.line("const legacy = %s; // the revision to shake hands for; newer ones need no handshake", revision)
	out.line("const given = {")
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		out.line("  %s: wanted('%s'),", quoted(name), variables[name])
	}
	out.line("};")
	out.requests(o)
	out.text.WriteString(k6Body)
	return out.text.Bytes(), wanted, nil
}

// k6Variables are the variables that the values of headers come from, by the names of the headers.
func k6Variables(t wire.Target) map[string]string {
	variables := map[string]string{}
	names := slices.Collect(maps.Keys(t.Header))
	if t.Credentials != nil {
		names = append(names, "Authorization")
	}
	for _, name := range names {
		variables[http.CanonicalHeaderKey(name)] = "MCPTEST_" + strings.ToUpper(notWord.ReplaceAllString(name, "_"))
	}
	return variables
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// isSecret reports whether an address may hold what must not stand in a file.
func isSecret(address string) bool {
	u, err := url.Parse(address)
	return err != nil || u.RawQuery != "" || u.User != nil
}

// A script is a text of JavaScript that grows.
type script struct{ text bytes.Buffer }

func (s *script) line(format string, args ...any) { fmt.Fprintf(&s.text, format+"\n", args...) }

// heading says what the script is and what it needs.
func (s *script) heading(o *Options, wanted []string) {
	s.line("// A load on an MCP server for k6, written by mcptest: %s.", o.Pace)
	command := "k6 run"
	for _, name := range wanted {
		command += " -e " + name + "=…"
	}
	s.line("// Run it with: %s FILE", command)
	s.line("// k6 counts the time of a call from when it was sent; calls for which no virtual user was free are dropped_iterations.")
	for _, t := range o.Thresholds {
		if metric, _ := k6Metric(t); metric == "" {
			s.line("// Not in this script, since k6 does not measure it: %s", strings.ReplaceAll(t.Name, "\n", " "))
		}
	}
	s.line("")
}

// requests writes the calls, each as a function of what differs from one to the next, and whose turn it is when.
func (s *script) requests(o *Options) {
	s.line("\nconst calls = [")
	for _, r := range o.Requests {
		s.line("  {\n    tool: %s,\n    echoes: %v, // the answer holds the nonce", quoted(r.Tool), r.Echoes)
		s.line("    headers: (nonce) => ({ %s }),", k6Headers(r.sent.Header))
		s.line("    body: (id, nonce) => %s,\n  },", k6RequestBody(r.sent.Body))
	}
	s.line("];")
	var order []string
	for _, r := range turns(o.Requests) {
		order = append(order, fmt.Sprint(slices.Index(o.Requests, r)))
	}
	s.line("const turns = [%s];\n", strings.Join(order, ", "))
}

// k6Headers are the headers that a request needs beside those of every request. The session's are the script's to find.
func k6Headers(header http.Header) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(header)) {
		shown := http.CanonicalHeaderKey(name)
		if strings.HasPrefix(shown, "Mcp-") && shown != "Mcp-Session-Id" && len(header[name]) > 0 {
			all = append(all, quoted(shown)+": "+withHoles(header[name][0]))
		}
	}
	return strings.Join(all, ", ")
}

// idMember is where a request of ours has its id.
var idMember = regexp.MustCompile(`"id":\d+`)

func k6RequestBody(body []byte) string {
	text := string(body)
	at := idMember.FindStringIndex(text)
	if at == nil {
		return withHoles(text)
	}
	return quoted(text[:at[0]]+`"id":`) + " + id + " + withHoles(text[at[1]:])
}

// withHoles is an expression for a text in which the nonce is put anew.
func withHoles(text string) string {
	parts := strings.Split(text, rehearsed)
	for i, part := range parts {
		parts[i] = quoted(part)
	}
	return strings.Join(parts, " + nonce + ")
}

// quoted is a text of JavaScript. The encoder escapes what JSON allows in a text and old JavaScript does not.
func quoted(text string) string { return strings.TrimSuffix(encoded(text, ""), "\n") }

func indented(value any) string { return strings.TrimSuffix(encoded(value, "  "), "\n") }

func encoded(value any, indent string) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	_ = enc.Encode(value) // plain data always encodes
	return out.String()
}
