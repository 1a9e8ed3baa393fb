package mcpserver

import "testing"

// Lines of an informational level are no problem; everything else on stderr may be one.
func TestOrdinaryLogs(t *testing.T) {
	for text, want := range map[string]string{
		"[11/17/26 12:00:00] INFO     Processing request of type            server.py:558\n" +
			"                             CallToolRequest                                    \n": "",
		"INFO:mcp.server.lowlevel.server:Processing request of type ListToolsRequest\n": "",
		"INFO:     127.0.0.1:4242 - \"POST /mcp HTTP/1.1\" 200 OK\n":                    "",
		"2026-11-17 12:00:00,123 - mcp.server - INFO - Processing request\n":            "",
		"2026/11/17 12:00:00 INFO server started\n":                                     "",
		"time=2026-11-17T12:00:00Z level=DEBUG msg=\"request\"\n":                       "",
		`{"time":"2026-11-17T12:00:00Z","level":"info","msg":"request"}` + "\n":         "",
		"\x1b[32mINFO\x1b[0m: started\n":                                                "",
		"WARNING:root:low disk\n":                                                       "WARNING:root:low disk\n",
		"[11/17/26 12:00:00] ERROR    failed\n":                                         "[11/17/26 12:00:00] ERROR    failed\n",
		"Traceback (most recent call last):\n  File \"a.py\"\n":                         "Traceback (most recent call last):\n  File \"a.py\"\n",
		"INFO:a:b\nKeyError: 'x'\n":                                                     "KeyError: 'x'\n",
		"INFORMATION is missing\n":                                                      "INFORMATION is missing\n",
		"no INFO here\n":                                                                "no INFO here\n",
		`{"level":"error","msg":"info"}` + "\n":                                         `{"level":"error","msg":"info"}` + "\n",
	} {
		if got := withoutOrdinaryLogs(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
