package upstream

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"regexp"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// The revision for one client is that of its era if the server supports both and has nothing that only the modern era
// has.
func TestRevisionFor(t *testing.T) {
	for _, c := range []struct {
		versions, capabilities string
		client                 spec.Era
		want                   string
	}{
		{`"2026-07-28","2025-11-25"`, `{"tools":{}}`, spec.Legacy, "2025-11-25"},
		{`"2026-07-28","2025-11-25"`, `{"tools":{}}`, spec.Modern, "2026-07-28"},
		{`"2026-07-28"`, `{"tools":{}}`, spec.Legacy, "2026-07-28"},
		{`"2026-07-28","2025-11-25"`, `{"tools":{},"extensions":{"a/b":{}}}`, spec.Legacy, "2026-07-28"},
		{`"2026-07-28","2025-11-25"`, `{"tools":{},"extensions":{}}`, spec.Legacy, "2025-11-25"},
	} {
		id := regexp.MustCompile(`"id":([^,}]+)`)
		serve := func(_ context.Context, in io.Reader, out io.Writer) error {
			for lines := bufio.NewScanner(in); lines.Scan(); {
				if found := id.FindSubmatch(lines.Bytes()); found != nil {
					fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",`+
						`"supportedVersions":[%s],"capabilities":%s}}`+"\n", found[1], c.versions, c.capabilities)
				}
			}
			return nil
		}
		s, err := mcp.Connect(t.Context(), wire.Target{Serve: serve}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := RevisionFor(s, c.client); got != c.want {
			t.Errorf("%s %s for a %s client: %s, want %s", c.versions, c.capabilities, c.client, got, c.want)
		}
		_ = s.Close()
	}
}
