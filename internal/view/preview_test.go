package view

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func TestPayload(t *testing.T) {
	large := `{"jsonrpc":"2.0","method":"m","params":{"text":"` + strings.Repeat("x", payloadBytes) + `"}}`
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"a":1},"name":"add","arguments":{"a":1.0}}}`: `{"a":1.0}`,
		`{"jsonrpc":"2.0","id":1,"result":{"content":[],"_meta":{}}}`:                                                  `{"content":[]}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`:                                              `{"code":-32601,"message":"no"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                                       ``,
		`demo-flawed: listing tools`:          `demo-flawed: listing tools`,
		`{"jsonrpc":"2.0","id":1,"result":7}`: `7`,
		``:                                    ``,
		large:                                 large,
	} {
		if got := string(Payload(mcp.Read(wire.Frame{Body: []byte(body)}))); got != want {
			t.Errorf("payload of %.80s = %.80s, want %.80s", body, got, want)
		}
	}
}
