package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	search struct {
		Query string  `json:"query" jsonschema:"part of the name"`
		Owner *string `json:"owner,omitempty" jsonschema:"name of the owner"`
	}
	samples struct {
		Samples []float64 `json:"samples" jsonschema:"times in seconds"`
	}
	titled struct {
		Title string `json:"title" jsonschema:"title of the page"`
	}
	aged struct {
		Seconds int `json:"seconds" jsonschema:"seconds since the last restart"`
	}
	named struct {
		Host string `json:"host" jsonschema:"name of the host"`
	}
	matched struct {
		Pattern string `json:"pattern" jsonschema:"pattern in which * matches any text"`
		Name    string `json:"name" jsonschema:"name to match"`
	}
)

// runPlanted serves tools with one planted bug each, as they are found in real servers. A fuzzer must find all of them.
func runPlanted(ctx context.Context) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "planted-go", Version: "1.0.0"}, nil)
	addPlanted(s, "find_hosts", "Find hosts by name and owner.", func(in search) string {
		owner := strings.TrimSpace(*in.Owner) // the optional argument omitted
		return fmt.Sprintf("no hosts of %s match %q", owner, in.Query)
	})
	addPlanted(s, "median", "Return the median of some times.", func(in samples) string {
		return fmt.Sprint(in.Samples[len(in.Samples)/2]) // an empty list
	})
	addPlanted(s, "shorten", "Return the first eight letters of a title.", func(in titled) string {
		return in.Title[:min(8, len(in.Title))] // text that is not ASCII: cut inside a letter
	})
	colors := []string{"green", "yellow", "red"}
	addPlanted(s, "uptime_color", "Return the color in which an uptime is shown.", func(in aged) string {
		return colors[max(in.Seconds, 0)*1000%len(colors)] // a number that is too large: milliseconds below zero
	})
	type status struct{ healthy *bool }
	known := map[string]status{}
	addPlanted(s, "host_status", "Report whether a host is healthy.", func(in named) string {
		if cached, ok := known[in.Host]; ok {
			return fmt.Sprint(*cached.healthy) // the second call: stored without its value
		}
		known[in.Host] = status{}
		return "true"
	})
	addPlanted(s, "match_name", "Report whether a name matches a pattern.", func(in matched) string {
		return fmt.Sprint(glob(in.Pattern, in.Name)) // exponential time for many asterisks
	})
	return s.Run(ctx, &mcp.StdioTransport{})
}

// addPlanted adds a read-only tool whose panics become errors of the call, as servers with a recovering middleware do
// it.
func addPlanted[In any](s *mcp.Server, name, description string, work func(In) string) {
	no := false
	tool := &mcp.Tool{Name: name, Description: description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}}
	mcp.AddTool(s, tool, func(_ context.Context, _ *mcp.CallToolRequest, in In) (r *mcp.CallToolResult, _ any,
		err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: work(in)}}}, nil, nil
	})
}

// glob matches by trying every split at every asterisk.
func glob(pattern, name string) bool {
	if pattern == "" {
		return name == ""
	}
	if pattern[0] == '*' {
		for i := 0; i <= len(name); i++ {
			if glob(pattern[1:], name[i:]) {
				return true
			}
		}
		return false
	}
	return name != "" && pattern[0] == name[0] && glob(pattern[1:], name[1:])
}
