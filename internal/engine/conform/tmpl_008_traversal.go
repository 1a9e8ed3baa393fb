package conform

import (
	"context"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tmpl008 = &Check{
	Rule: finding.Rule{
		ID:       "TMPL-008",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/resources#security-considerations"),
		Doc: `resource template must not give access to other files

The value of a template variable comes from the client. If the server builds a path from it without a check, a value
with ../ or an absolute path reads any file that the server can read. Decode the value, resolve the path, and reject it if it is
outside of the folder: a server that looks for .. first misses it in encoded form. The check reads the hosts file.`,
	},
	Needs:      "resources",
	Disruptive: true, // it looks like an attack
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "resources/templates/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items[:min(len(list.Items), maxReads)] {
			if item.Name == "" || templateProblem(item.Name) != "" || servesAllFiles(item.Name) {
				continue
			}
			for _, uri := range traversals(item.Name) {
				ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", uri))
				if err != nil {
					return err
				}
				if hasHostsFile(ex.Reply.Result) {
					p.Report(Evidence{Subject: item.Name, Exchange: ex},
						"reading %s returned the hosts file of the machine, expected an error", quoted(uri))
					break
				}
			}
		}
		return nil
	},
}

// hostsFile is a file that Unix systems have and that contains no secrets.
const hostsFile = "/etc/hosts"

// hostsLine matches the line that every hosts file contains.
var hostsLine = lazyregexp.New(`(?m)^127\.0\.0\.1\s+(.*\s)?localhost(\s|$)`)

func hasHostsFile(result []byte) bool {
	for _, b := range contentsOf(result) {
		text, _ := schema.Text(At(b.raw, "/text"))
		if hostsLine().MatchString(text) {
			return true
		}
	}
	return false
}

// servesAllFiles reports whether a template is for all files of the machine.
func servesAllFiles(template string) bool {
	prefix, _, found := strings.Cut(template, "{")
	return found && strings.TrimRight(prefix, "/") == "file:"
}

// traversals returns a template with its last variable set to paths of the hosts file, and the other variables to 1.
func traversals(template string) []string {
	all := braces().FindAllStringIndex(template, -1)
	if len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	before, after := filledIn(template[:last[0]]), template[last[1]:]
	up := strings.Repeat("../", 12) + hostsFile[1:]
	var uris []string
	dots := strings.ReplaceAll(url.PathEscape(up), ".", "%2e") // for servers that look for .. before they decode
	for _, value := range []string{up, url.PathEscape(up), hostsFile, url.PathEscape(hostsFile), dots, url.PathEscape(dots)} {
		uris = append(uris, before+value+after)
	}
	return uris
}
