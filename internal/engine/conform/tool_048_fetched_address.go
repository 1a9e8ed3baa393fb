package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool048 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-048",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `tool should not fetch addresses of its own machine

The tool was called with a URL of the machine that it runs on, and fetched it: mcptest had opened a port there for this
purpose. A model that reads a hostile page can thus read services inside the network of the server, such as the metadata
service of a cloud provider. Resolve the host, and reject loopback, private and link-local addresses, also after
redirects. It is an error if the tool says that it fetches public pages or allowed hosts only, or rejects internal addresses, or has
openWorldHint false. Tools that say that they fetch local addresses are not reported.`,
	},
	Needs:      "tools",
	Disruptive: true, // it looks like an attack
	Run: func(ctx context.Context, p *CheckContext) error {
		if !near(p.Target) {
			return p.Skip("the server runs on another machine, which cannot reach a port of this one")
		}
		tools, err := p.Callable(ctx)
		tools = slices.DeleteFunc(tools, func(t Tool) bool {
			return urlArgument(t) == "" || fetchesLocal().Match(rejectsLocal().ReplaceAll(t.Definition, nil)) ||
				string(At(t.Definition, "/annotations/readOnlyHint")) != "true"
		})
		if err != nil {
			return err
		}
		if len(tools) == 0 {
			return p.Skip("no read-only tool that may be called takes the URL of a page, without offering local addresses")
		}
		fetches, err := listenForFetches()
		if err != nil {
			return p.Skip("no port could be opened: %v", err)
		}
		defer fetches.close()
		for _, t := range tools[:min(len(tools), maxFetching)] {
			if err := p.fetchesOwn(ctx, t, fetches); err != nil {
				return err
			}
		}
		return nil
	},
}

// maxFetching is how many tools are called with an address of this machine.
const maxFetching = 5

// fetchesOwn calls a tool with addresses of this machine until it fetches one.
func (p *CheckContext) fetchesOwn(ctx context.Context, t Tool, fetches *fetchListener) error {
	name := urlArgument(t)
	for i, address := range fetches.addresses() {
		if i > 0 && p.round.limited(t.Name) {
			return nil // few calls are allowed
		}
		raw, _ := json.Marshal(address) // marshaling a string never fails
		arguments := withArgument(t, t.Arguments, name, string(raw))
		ex, err := p.Call(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
		if err != nil {
			return err
		}
		if !fetches.fetched() {
			continue
		}
		severity, claim := finding.Warning, ""
		if string(At(t.Definition, "/annotations/openWorldHint")) == "false" {
			severity, claim = finding.Error, ", which has openWorldHint false,"
		} else if said := cmp.Or(strings.TrimSpace(rejectsLocal().FindString(string(t.Definition))), fetchesPublic().FindString(string(t.Definition))); said != "" {
			severity, claim = finding.Error, ", which says "+quoted(said)+","
		}
		p.report(severity, Evidence{Subject: t.Name, Exchange: ex, Led: true},
			"the tool%s fetched %s, a port of the machine that it runs on: expected an error", claim, fetches.displayed(address))
		return nil
	}
	return nil
}

// localAddresses matches words for the addresses of the own machine and network.
const localAddresses = `\b(?:localhost|loopback|127\.0\.0\.1|intranet|(?:local|internal|private)[ -](?:\w+ )?(?:address|network|ip\b|host|range|url|machine)\w*)`

// rejections matches words by which a tool says that it rejects something.
const rejections = `\b(?:not|never|no|reject\w*|refus\w*|block\w*|den(?:y|ies|ied)|disallow\w*|forbid\w*|except|exclud\w*|without)\b`

// What tools say about the addresses that they fetch.
var (
	fetchesLocal = lazyregexp.New(`(?i)localhost|local(?:ly)? |loopback|127\.0\.0\.1|intranet|internal|private network|any (?:url|host|address)`)
	rejectsLocal = lazyregexp.New(`(?i)[^."\n]*(?:` + rejections + `[^."\n]{0,60}?` + localAddresses + `|` + localAddresses + `[^."\n]{0,60}?` +
		rejections + `)[^."\n]*`)
	fetchesPublic = lazyregexp.New(`(?i)\bpublic\b[\w -]{0,20}|\bthe (?:internet|web)\b|allow-?list|allowed (?:hosts|domains|sites)`)
)

var (
	urlNames   = lazyregexp.New(`(?i)^(?:\w*ur[il]|link|href|website|webpage|web_page|endpoint|\w+_?ur[il])$`)
	urlMention = lazyregexp.New(`(?i)\burls?\b|https?\b|address of a (?:\w+ )*page`)
)

// urlArgument returns the argument of a tool that is the URL of a page; empty if there is none.
func urlArgument(t Tool) string {
	for _, m := range declaredArguments(t.Definition) {
		free := schema.TextAt(m.Value, "/type") == "string" && At(m.Value, "/enum") == nil && At(m.Value, "/const") == nil
		if free && (urlNames().MatchString(m.Name) || schema.TextAt(m.Value, "/format") == "uri" ||
			urlMention().MatchString(schema.TextAt(m.Value, "/description"))) {
			return m.Name
		}
	}
	return ""
}
