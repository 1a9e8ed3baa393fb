package hosts

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// TestViewSpeed converts 200 real tools with every profile in 300 ms.
func TestViewSpeed(t *testing.T) {
	var tools []json.RawMessage
	realdata.EachLine(t, realdata.Path(t, "tools.jsonl"), func(line []byte) {
		var server struct{ Tools []json.RawMessage }
		if err := json.Unmarshal(line, &server); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, server.Tools...)
	})
	started := cputime.Used()
	for i := range 200 {
		tool := Read(tools[i*(len(tools)/200)])
		for _, p := range Profiles() {
			View(p, "t", tool)
		}
	}
	took := cputime.Used() - started
	t.Logf("200 tools through %d profiles: %v of CPU time", len(Profiles()), took)
	if took > 300*time.Millisecond*slowdown {
		t.Errorf("200 tools took %v, want at most 300 ms", took)
	}
}
