package hosts

import (
	"strings"
	"testing"
)

// TestServe has the models of real hosts test a server with the tools of mcptest serve. The hosts shorten long results:
// what the model gets must be complete.
func TestServe(t *testing.T) {
	folder := real(t)
	for _, host := range []string{"claude", "codex"} {
		t.Run(host, func(t *testing.T) {
			o := options(t, folder, host, "mcptest", []string{built.mcptest, "serve"},
				call("connect_to_server", `{"url":"demo"}`),
				call("list_tools", `{}`),
				call("call_tool", `{"name":"echo","arguments":{"message":"grün 1"}}`),
				call("check_server", `{}`),
				call("disconnect", `{}`))
			run := started(t, o)
			want := []string{"demo", `"add"`, "grün 1", `"grade"`, ""}
			for i, result := range run.Results {
				if !strings.Contains(result.Text, `"success":true`) || !strings.Contains(result.Text, want[i]) {
					t.Errorf("%s returns %.1000s, want success with %s", o.Script[i].Tool, result.Text, want[i])
				}
				t.Logf("%s: %d characters", o.Script[i].Tool, len(result.Text))
				if strings.Contains(result.Text, "truncated") || !strings.HasSuffix(strings.TrimSpace(result.Text), "}") {
					t.Errorf("%s: the result is not complete: …%s", o.Script[i].Tool,
						result.Text[max(0, len(result.Text)-300):])
				}
			}
			if run.Session.Calls != len(o.Script) {
				t.Errorf("%d calls reached the server, want %d", run.Session.Calls, len(o.Script))
			}
		})
	}
}
