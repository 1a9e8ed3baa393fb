package frontend

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A listing is what catalog_list and catalog_search return.
type listing struct {
	Count int
	Tools []listedTool
}

type listedTool struct {
	Name        string
	Version     int
	Description string
	Parameters  json.RawMessage
	Returns     json.RawMessage
	Server      *string
	Registered  time.Time `json:"registered_at"`
	Updated     time.Time `json:"updated_at"`
	Score       float64
}

func (l listing) names() []string {
	var all []string
	for _, tool := range l.Tools {
		all = append(all, tool.Name)
	}
	return all
}

// list asks for a list; arguments are those of catalog_list.
func (s *stage) list(tool, arguments string) listing {
	s.t.Helper()
	var l listing
	s.structured(tool, arguments, &l)
	return l
}

// registerAll registers tools with names and descriptions and nothing else.
func (s *stage) registerAll(tools ...string) {
	s.t.Helper()
	for i := 0; i+1 < len(tools); i += 2 {
		s.register(fmt.Sprintf(`"name":%q,"description":%q,"run":{"func":"echo"}`, tools[i], tools[i+1]))
	}
}

func listsAllTools(t *testing.T, s *stage) {
	s.register(transferTool)
	s.registerAll("zeta", "The last", "alpha", "The first", "mid", "Between")
	l := s.list("catalog_list", `{}`)
	if diff := cmp.Diff(l.names(), []string{"alpha", "mid", "transfer", "zeta"}); diff != "" || l.Count != 4 {
		t.Errorf("count %d, names (-got +want):\n%s", l.Count, diff)
	}
	for _, tool := range l.Tools {
		if tool.Version != 1 || tool.Description == "" || tool.Parameters == nil || tool.Returns == nil ||
			tool.Server == nil || tool.Registered.IsZero() || tool.Updated.IsZero() {
			t.Errorf("%+v lacks something", tool)
		}
	}
	if got := string(l.Tools[0].Returns); got != "null" {
		t.Errorf("a tool without a result schema has %s, want null", got)
	}
	if again := s.list("catalog_list", `{}`); !slices.Equal(again.names(), l.names()) {
		t.Errorf("the order changed to %v", again.names())
	}
}

func filtersByName(t *testing.T, s *stage) {
	s.registerAll("read_file", "", "FILE_write", "", "profile", "", "send_mail", "reads a file, but not by name")
	for filter, want := range map[string][]string{
		"file": {"FILE_write", "profile", "read_file"}, "FiLe": {"FILE_write", "profile", "read_file"},
		"read_file": {"read_file"},
		"file_*":    {"FILE_write"}, "*mail": {"send_mail"}, "nothing": nil,
	} {
		if l := s.list("catalog_list", `{"filter":"`+filter+`"}`); !slices.Equal(l.names(), want) ||
			l.Count != len(want) {
			t.Errorf("filter %q: %v (count %d), want %v", filter, l.names(), l.Count, want)
		}
	}
}

func searchesByDescription(t *testing.T, s *stage) {
	s.registerAll("archive", "File operations on archives: unpack and pack file after file", "mover", "Moves one file",
		"weather", "Tells the forecast",
		"surgeon", "Plans operations in hospitals")
	l := s.list("catalog_search", `{"query":"file operations"}`)
	if len(l.Tools) != 3 || l.Tools[0].Name != "archive" || slices.Contains(l.names(), "weather") {
		t.Fatalf("found %v, want archive first and no weather", l.names())
	}
	for i, tool := range l.Tools {
		if tool.Score <= 0 || tool.Score > 1 || i > 0 && tool.Score > l.Tools[i-1].Score {
			t.Errorf("%s has score %v, want falling scores within 0..1", tool.Name, tool.Score)
		}
	}
	if phrase := s.list("catalog_search", `{"query":"\"file operations\""}`); !slices.Equal(phrase.names(),
		[]string{"archive"}) {
		t.Errorf("the phrase finds %v, want archive alone", phrase.names())
	}
	if partial := s.list("catalog_search", `{"query":"foreca"}`); !slices.Contains(partial.names(), "weather") {
		t.Errorf("part of a word finds %v, want weather in it", partial.names())
	}
}

func registersATool(t *testing.T, s *stage) {
	before := time.Now().Add(-time.Second)
	s.register(transferTool)
	s.register(`"name":"least","run":{"func":"echo"}`)
	l := s.list("catalog_list", `{}`)
	if !slices.Equal(l.names(), []string{"least", "transfer"}) || l.Tools[1].Registered.Before(before) {
		t.Errorf("listed %v, registered at %v", l.names(), l.Tools[1].Registered)
	}
	s.wants(textsOf(s.call("describe_tool", `{"name":"transfer"}`)), `"tags":["money"]`,
		`"metadata":{"owner":"treasury"}`, `"dependentRequired"`)
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":1,"to":"x"}}`), `{"amount":1,"to":"x"}`)
	s.wants(s.call("invoke_tool", `{"name":"least","arguments":{"any":1}}`), `{"any":1}`)
	s.wants(s.call("register_tool", `{"tool":{`+transferTool+`}}`), `"isError":true`, `"type":"ConflictError"`)
}

func updatesATool(t *testing.T, s *stage) {
	s.register(transferTool)
	newer := strings.NewReplacer("Moves money", "Carries gold", `"to":{`, `"whom":{`, `"to"]`,
		`"whom"]`).Replace(transferTool)
	s.wants(s.call("update_tool", `{"tool":{`+newer+`},"version":1}`), `"version":2`)
	l := s.list("catalog_list", `{}`)
	if l.Count != 1 || l.Tools[0].Version != 2 || !strings.Contains(l.Tools[0].Description, "gold") ||
		l.Tools[0].Updated.Before(l.Tools[0].Registered) {
		t.Errorf("%+v, want version 2 alone", l.Tools)
	}
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":1,"to":"x"}}`), "missing required: whom")
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":1,"whom":"x"}}`), `{"amount":1,"whom":"x"}`)
	// made for what is gone
	s.wants(s.call("update_tool", `{"tool":{`+transferTool+`},"version":1}`), `"type":"ConflictError"`)
	if old := s.list("catalog_search", `{"query":"money"}`); slices.ContainsFunc(old.Tools, func(hit listedTool) bool {
		return strings.Contains(hit.Description, "money")
	}) {
		t.Errorf("the old description is still found: %+v", old.Tools)
	}
	s.oneUpdateWins(t, newer)
}

// oneUpdateWins lets several clients update the same version at once.
func (s *stage) oneUpdateWins(t *testing.T, definition string) {
	t.Helper()
	var won, lost atomic.Int64
	var wg sync.WaitGroup
	for i := range 8 {
		client := s.rig.dial(t, protocols[i%2], fmt.Sprint("caller", i), mcp.Options{})
		wg.Go(func() {
			switch got := call(t, client, "update_tool", `{"tool":{`+definition+`},"version":2}`); {
			case strings.Contains(got, `"version":3`):
				won.Add(1)
			case strings.Contains(got, `"type":"ConflictError"`):
				lost.Add(1)
			default:
				t.Errorf("update_tool: %s", got)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 7 {
		t.Errorf("%d updates won and %d lost, want 1 and 7", won.Load(), lost.Load())
	}
}

func removesATool(t *testing.T, s *stage) {
	s.register(transferTool)
	s.wants(s.call("remove_tool", `{"name":"transfer"}`), `"removed":"transfer"`)
	if l := s.list("catalog_list", `{}`); l.Count != 0 {
		t.Errorf("listed %v after the removal", l.names())
	}
	if l := s.list("catalog_search", `{"query":"transfer money"}`); l.Count != 0 {
		t.Errorf("found %v after the removal", l.names())
	}
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":1,"to":"x"}}`), `"isError":true`,
		`"type":"NotFoundError"`, "transfer")
	s.wants(s.call("remove_tool", `{"name":"transfer"}`), `"type":"NotFoundError"`)
	s.register(transferTool)
	s.wants(s.call("invoke_tool", `{"name":"transfer","arguments":{"amount":1,"to":"x"}}`), `{"amount":1,"to":"x"}`)
}
