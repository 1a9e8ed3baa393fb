package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// flawedCall calls a tool of demo-flawed with a progress token.
func flawedCall(name, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments +
		`,"_meta":{"progressToken":"p"}}}`
}

func TestFlawsAreThere(t *testing.T) {
	w := dial(t, "demo-flawed")
	w.open(spec.November2025)
	for _, c := range []struct{ name, arguments, want string }{
		{"set_priority", `{"priority":"urgent"}`, `priority: \"urgent\"`},
		{"get_weather", `{"town":"Bonn"}`, `"structuredContent":{"temperature":"21"}`},
		{"load_config", `{"name":"x"}`, `/home/deploy/service/config.py`},
		{"load_config", `{"name":"greeting"}`, `hello`},
		{"count_words", `{}`, `"code":-32603`},
		{"count_words", `{"text":"a b"}`, `"2"`},
		{"get_logo", `{}`, `<svg>`},
		{"file_info", `{}`, `"content":[]`},
		{"divide", `{"a":7,"b":2}`, `"3"`},
		{"nobody", `{}`, `"isError":true`},
	} {
		if got := w.ask(flawedCall(c.name, c.arguments)); !strings.Contains(got.raw, c.want) {
			t.Errorf("%s: %s; want %s", c.name, got.raw, c.want)
		}
	}
	w.send(flawedCall("import_rows", `{}`))
	var progress []string
	for range 4 {
		var p struct{ Progress int }
		json.Unmarshal(readReply(t, w.recv()).Params, &p)
		progress = append(progress, fmt.Sprint(p.Progress))
	}
	if got := strings.Join(progress, " "); got != "1 3 2 2" {
		t.Errorf("progress %s; want it to go backwards", got)
	}
	w.recv()
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"never given"}}`)
	if noise := w.recv(); json.Valid([]byte(noise)) {
		t.Errorf("first line = %s; want noise", noise)
	}
	if got := readReply(t, w.recv()); got.code() != 0 || !strings.Contains(got.raw, "\u200b") {
		t.Errorf("tools/list = %.200s; want the list all the same", got.raw)
	}
}

func TestFlawedSlowToolIsSilent(t *testing.T) {
	t.Parallel()
	w := dial(t, "demo-flawed")
	w.open(spec.November2025)
	began := time.Now()
	if got := w.ask(flawedCall("build_report", `{}`)); got.Method != "" || time.Since(began) < 2*time.Second {
		t.Errorf("first message %s after %v; want the result after two seconds", got.raw, time.Since(began))
	}
}

func TestFlawedDies(t *testing.T) {
	w := dial(t, "demo-flawed")
	w.open(spec.November2025)
	w.send(flawedCall("divide", `{"a":1,"b":0}`))
	if line, err := w.out.ReadString('\n'); err == nil {
		t.Errorf("answer %s; want the stream to end", line)
	}
	var died *Crash
	if err := <-w.done; !errors.As(err, &died) || died.Code != 2 || !strings.Contains(died.Message, "divide by zero") {
		t.Errorf("Serve = %v; want that it died", err)
	}
	w.done <- nil // for the cleanup
}

func TestFlawedDocNamesEveryTool(t *testing.T) {
	for _, tool := range flawedTools() {
		if !strings.Contains(flawedDoc, tool.name) {
			t.Errorf("the Doc says nothing of %s", tool.name)
		}
		if !json.Valid([]byte(tool.definition)) {
			t.Errorf("%s: the definition is no JSON: %s", tool.name, tool.definition)
		}
	}
}
