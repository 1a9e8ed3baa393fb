package hostrun

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// TestLine checks that what happened to a tool is recorded in the format that compare reads.
func TestLine(t *testing.T) {
	r := &Recorder{}
	r.Host, _ = Find("qwen-code")
	tool := RecordTool{"@a/b", json.RawMessage(`{"name":"x.y","description":"D","inputSchema":{"type":"object"}}`)}
	arrived := []hosts.Tool{{Name: "mcp__t__x.y", Description: "D", Schema: json.RawMessage(`{"type":"object"}`)}}
	for _, test := range []struct {
		arrived []hosts.Tool
		lost    bool
		want    string
	}{
		{arrived, false, `{"server":"@a/b","tool":"x.y","given":{"name":"mcp__t__x.y","description":"D","parameters":` +
			`{"type":"object"}},"outcome":"as sent","why":null,"batch":2,"index":3}`},
		{[]hosts.Tool{{Name: "mcp__t__x.y", Description: "E", Schema: json.RawMessage(`{}`)}}, false,
			`{"server":"@a/b","tool":"x.y","given":{"name":"mcp__t__x.y","description":"E","parameters":{}},` +
				`"outcome":"changed","why":"parameters, description","batch":2,"index":3}`},
		{nil, false, `{"server":"@a/b","tool":"x.y","given":null,"outcome":"dropped",` +
			`"why":"the other tools of its server arrived","batch":2,"index":3}`},
		{nil, true, `{"server":"@a/b","tool":"x.y","given":null,"outcome":"server lost",` +
			`"why":"alone on its server, nothing arrived","batch":2,"index":3}`},
	} {
		got, err := json.Marshal(r.line(2, 3, tool, test.arrived, test.lost))
		if err != nil || string(got) != test.want {
			t.Errorf("%s, %v; want %s", got, err, test.want)
		}
		var rec RecordLine
		if err := json.Unmarshal(got, &rec); err != nil || rec.Batch != 2 || rec.Index != 3 ||
			(rec.Given != nil) != (test.arrived != nil) {
			t.Errorf("read as %+v, %v", rec, err)
		}
	}
}

// TestServeTools checks that tools are served byte for byte.
func TestServeTools(t *testing.T) {
	const tool = `{"name":"x", "annotations":{"readOnlyHint":null},"inputSchema":{"default":1.0}}`
	var out bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":"a","method":"tools/list"}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"server/discover"}` + "\n")
	if err := serveTools([]RecordTool{{Tool: json.RawMessage(tool)}})(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	want := `{"jsonrpc":"2.0","id":"a","result":{"tools":[` + tool + `]}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"method not found"}}` + "\n"
	if out.String() != want {
		t.Errorf("got %s, want %s", &out, want)
	}
}
