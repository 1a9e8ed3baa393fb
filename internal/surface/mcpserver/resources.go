package mcpserver

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// The resources: the documentation of the rules, the schema of suites, and the last reports.
const (
	rulesURI   = "mcptest://rules"
	ruleURI    = "mcptest://rules/"
	reportURI  = "mcptest://reports/"
	markdown   = "text/markdown"
	reportMIME = "application/json"
	suiteURI   = "mcptest://schema/suite"
	schemaMIME = "application/schema+json"
)

func (s *Server) addResources() {
	s.sdk.AddResource(&mcp.Resource{URI: rulesURI, Name: "rules", Title: "Rules",
		Description: "The rules of all engines, with severity and title.", MIMEType: markdown},
		s.read)
	s.sdk.AddResource(&mcp.Resource{URI: suiteURI, Name: "suite schema", Title: "Suite schema",
		Description: "The JSON Schema for suites, the format of run_suite.", MIMEType: schemaMIME},
		s.read)
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: ruleURI + "{id}", Name: "rule", Title: "Rule",
		Description: "What a rule checks, and why; the ID is one of " + rulesURI + ".", MIMEType: markdown},
		s.read)
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: reportURI + "{number}", Name: "report",
		Title: "Report", Description: "A report of this session; 1 is the newest, and up to 10 are stored.",
		MIMEType: reportMIME},
		s.read)
}

func (s *Server) read(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	text, kind, ok := s.lookup(uri)
	if !ok {
		return nil, serve.NotFound(uri, serve.IsModern(req.Session))
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: kind, Text: text}}}, nil
}

func (s *Server) lookup(uri string) (text, kind string, ok bool) {
	switch uri {
	case rulesURI:
		return ruleList(), markdown, true
	case suiteURI:
		return string(suite.Schema()), schemaMIME, true
	}
	if id, found := strings.CutPrefix(uri, ruleURI); found {
		text, ok = engines.ExplainRule(id)
		return text, markdown, ok
	}
	number, found := strings.CutPrefix(uri, reportURI)
	n, err := strconv.Atoi(number)
	if !found || err != nil {
		return "", "", false
	}
	report, ok := s.reports.last(n)
	return s.desk.Scrub(string(report)), reportMIME, ok
}

func ruleList() string {
	var b strings.Builder
	b.WriteString("# Rules\n\n")
	for _, r := range engines.AllRules() {
		fmt.Fprintf(&b, "- `%s` (%s): %s\n", r.ID, r.Severity, r.Title())
	}
	return b.String()
}
