package cases

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// TestSettle calls a tool that knows one address only, and expects the cases after the successful one to keep to that address.
func TestSettle(t *testing.T) {
	g := generator(t, "preview", `{"type":"object","properties":{"address":{"type":"string","description":"Address, e.g. ann@example.org"},`+
		`"subject":{"type":"string"},"tag":{"type":"string"}},"required":["address","subject"]}`)
	known := func(c Case) bool { return strings.Contains(string(c.Arguments), `"address":"ann@example.org"`) }
	seen, letters := 0, false
	for range 60 {
		c := g.Next()
		g.Saw(c, known(c))
		if known(c) {
			seen++
			letters = letters || strings.Contains(string(c.Arguments), `"subject":"Zoë 日本"`)
		}
	}
	if seen < 30 || !letters {
		t.Errorf("%d of 60 cases have the address, one of them letters beyond ASCII: %v", seen, letters)
	}
}

// TestSettleOnRequired expects optional arguments one at a time for a tool that rejects the sample with all of them.
func TestSettleOnRequired(t *testing.T) {
	g := generator(t, "search", `{"type":"object","properties":{"query":{"type":"string"},"from":{"type":"string"},"to":{"type":"string"}},`+
		`"required":["query"]}`)
	alone := 0
	for range 60 {
		c := g.Next()
		from, to := strings.Contains(string(c.Arguments), `"from"`), strings.Contains(string(c.Arguments), `"to"`)
		g.Saw(c, !from || !to)
		if from != to {
			alone++
		}
	}
	if alone < 20 {
		t.Errorf("%d of 60 cases have one of two arguments", alone)
	}
}

// TestSettledOnlyIfNeeded expects other values than the mentioned one for a tool that accepts the first sample.
func TestSettledOnlyIfNeeded(t *testing.T) {
	g := generator(t, "echo", `{"type":"object","properties":{"name":{"type":"string","description":"A name, e.g. Ann"}},"required":["name"]}`)
	known := 0
	for range 40 {
		c := g.Next()
		g.Saw(c, true)
		if strings.Contains(string(c.Arguments), `"Ann"`) {
			known++
		}
	}
	if known > 3 {
		t.Errorf("%d of 40 cases have the mentioned name", known)
	}
}

// TestLend expects the values that other tools return in arguments of that meaning.
func TestLend(t *testing.T) {
	structured := func(data string) string { return `{"content":[],"structuredContent":` + data + `}` }
	text := func(data string) string {
		quoted, _ := json.Marshal(data)
		return `{"content":[{"type":"text","text":` + string(quoted) + `}]}`
	}
	for _, test := range []struct{ tool, arguments, lister, result, want string }{
		{"get_order", "order_id", "list_orders", structured(`{"orders":[{"id":"A7","title":"x"}]}`), `{"order_id":"A7"}`},
		{"get_order", "id", "list_orders", structured(`{"result":[{"order_id":"A7"}]}`), `{"id":"A7"}`},
		{"getOrder", "orderId", "listOrders", text(`[{"id":"A7"}]`), `{"orderId":"A7"}`},
		{"get_order", "order_id", "list_orders", text("A-7: a desk\nB-8: a lamp"), `{"order_id":"A-7"}`},
		{"price", "sku", "list_products", structured(`{"items":[{"name":"Lamp","sku":"L9"}]}`), `{"sku":"L9"}`},
		{"route", "from_station,to_station", "list_stations", structured(`{"stations":[{"code":"NO"},{"code":"SU"}]}`),
			`{"from_station":"NO","to_station":"SU"}`},
		{"weather", "city", "list_cities", structured(`{"cities":["Oslo","Rome"]}`), `{"city":"Oslo"}`},
		{"get_user", "id", "list_orders", structured(`{"orders":[{"id":"A7"}]}`), ""},
		{"search", "query", "list_orders", structured(`{"orders":[{"id":"A7","title":"x"}]}`), ""},
	} {
		properties := ""
		for name := range strings.SplitSeq(test.arguments, ",") {
			properties += `,"` + name + `":{"type":"string"}`
		}
		required, _ := json.Marshal(strings.Split(test.arguments, ","))
		g := generator(t, test.tool, `{"type":"object","properties":{`+properties[1:]+`},"required":`+string(required)+`}`)
		g.Lend(schema.Items(test.lister, json.RawMessage(test.result)))
		c := g.Next()
		if got := string(c.Arguments); got != test.want && (test.want != "" || c.IsKnown()) {
			t.Errorf("%s after %s %s: got %s, expected %s", test.tool, test.lister, test.result, got, test.want)
		}
	}
}

// TestBehind expects a way out of the directory of a path that another tool returned, unless the tool may write.
func TestBehind(t *testing.T) {
	const rules = `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`
	for _, test := range []struct {
		care  Care
		value string
		want  bool
	}{{Care{}, "guides/setup.md", true}, {Care{}, "setup.md", false}, {Care{}, "/guides/setup.md", false},
		{Care{}, "https://h.example/x", false}, {Care{Writes: true}, "guides/setup.md", false}, {Care{Gentle: true}, "guides/setup.md", false}} {
		g, err := NewGenerator("read_page", json.RawMessage(rules), 1, test.care)
		if err != nil {
			t.Fatal(err)
		}
		g.Lend(schema.Items("list_pages", json.RawMessage(`{"structuredContent":{"pages":[{"path":"`+test.value+`"}]}}`)))
		_, next := g.Next(), g.Next()
		if got := strings.HasPrefix(schema.TextAt(next.Arguments, "/path"), "guides/../../"); got != test.want {
			t.Errorf("%+v %s: got %s", test.care, test.value, next.Arguments)
		}
	}
}

func generator(t *testing.T, tool, rules string) *Generator {
	t.Helper()
	g, err := NewGenerator(tool, json.RawMessage(rules), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRangesAndPlaces expects the end of a range after its start, although the examples of both are the same, and two places that differ once
// a call with two has worked.
func TestRangesAndPlaces(t *testing.T) {
	g, err := NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"start":{"type":"string","description":"e.g. 2026-03-02T09:00:00Z"},`+
		`"end":{"type":"string","description":"e.g. 2026-03-02T09:00:00Z"}},"required":["start","end"]}`), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	g.Next()
	if got, want := string(g.Next().Arguments), `{"start":"2026-03-02T09:00:00Z","end":"2026-03-03T09:00:00Z"}`; got != want {
		t.Errorf("got %s, expected %s", got, want)
	}
	g, err = NewGenerator("route", json.RawMessage(`{"type":"object","properties":{"origin":{"type":"string","description":"e.g. Berlin, see list_places"},`+
		`"destination":{"type":"string","description":"e.g. Berlin, see list_places"},"unit":{"enum":["km","mi"]}},`+
		`"required":["origin","destination","unit"]}`), 1, Care{})
	if err != nil {
		t.Fatal(err)
	}
	g.Saw(g.Next(), false)
	same := g.Next()
	g.Saw(same, true)
	g.Lend(schema.Items("list_places", json.RawMessage(`{"structuredContent":{"result":["Oslo","Rome"]}}`)))
	other := g.Next()
	g.Saw(other, true)
	if !strings.HasPrefix(string(same.Arguments), `{"origin":"Berlin","destination":"Berlin"`) ||
		!strings.HasPrefix(string(other.Arguments), `{"origin":"Oslo","destination":"Rome"`) {
		t.Fatalf("got %s and %s", same.Arguments, other.Arguments)
	}
	for range 30 {
		c := g.Next()
		if strings.Count(string(c.Arguments), "Berlin") == 2 && c.Description != MentionedValue {
			t.Fatalf("%s: got %s again", c.Description, c.Arguments)
		}
	}
}
