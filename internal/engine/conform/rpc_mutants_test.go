package conform

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func rpcMutants() map[string][]mutant {
	legacy := []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}
	return map[string][]mutant{
		"RPC-001": {{name: "numbers what looks like one", defect: retyped(`"0042"`, `42`), also: []string{"RPC-014"}},
			{name: "rejects strings", defect: answer("*", func(c *exemplar.Call, r []byte) []byte {
				if schema.Kind(c.ID) != '"' {
					return r
				}
				return c.Refuse(-32603, "the id is not a number")
			})}},
		"RPC-002": {
			{name: "zero as text", defect: retyped("0", `"0"`), also: []string{"RPC-014"}},
			{name: "rounds", defect: retyped("9007199254740991", "9007199254740990"), also: []string{"RPC-014"}},
		},
		"RPC-003": {
			{name: "another code", also: []string{"HTTP-017"},
				defect: unknownMethod(func(c *exemplar.Call) []byte { return c.Refuse(-32603, "oops") })},
			{name: "a result", also: []string{"HTTP-017"},
				defect: unknownMethod(func(c *exemplar.Call) []byte { return succeed(c, `{"ok":true}`) })},
		},
		"RPC-004": {{name: "answers", defect: func(s *exemplar.Server) {
			s.Heard = func(l *exemplar.Line, method string) {
				if method == "notifications/mcptest-unknown" {
					l.Write([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"what?"}}`))
				}
			}
		}}},
		"RPC-005": {{name: "deaf after it", defect: deafAfter(func(body []byte) bool {
			return !json.Valid(body) && !bytes.Contains(body, []byte("\xff")) && len(body) > 1
		}), also: []string{"RPC-006"}}, {name: "deaf after a byte order mark",
			defect: deafAfter(func(body []byte) bool {
				return bytes.HasPrefix(body, []byte("\ufeff"))
			})}},
		"RPC-006": {{name: "another code", also: []string{"HTTP-021"},
			defect: intercept(func(body []byte) bool { return !json.Valid(body) && len(body) > 1 },
				func([]byte) []byte {
					return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"oops"}}`)
				})}},
		"RPC-007": {
			{name: "deaf after it", defect: deafAfter(contains(`"mcptest-7"`))},
			{name: "deaf after a number", defect: deafAfter(func(body []byte) bool { return string(body) == "42" })},
			{name: "deaf after an object for an id", defect: deafAfter(contains(`"id":{`))},
		},
		"RPC-008": {{name: "another code", defect: intercept(contains(`"mcptest-8"`), func([]byte) []byte {
			return []byte(`{"jsonrpc":"2.0","id":"mcptest-8","error":{"code":-32603,"message":"oops"}}`)
		})}},
		"RPC-009": {{name: "refuses", defect: intercept(serve.IsBatch, func([]byte) []byte {
			return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}`)
		})}, {name: "answers the first alone", defect: intercept(serve.IsBatch, func([]byte) []byte {
			return []byte(`[{"jsonrpc":"2.0","id":"mcptest-b1","result":{}}]`)
		})}},
		"RPC-010": {{name: "serves", defect: intercept(serve.IsBatch, func([]byte) []byte {
			return []byte(`[{"jsonrpc":"2.0","id":"mcptest-b1","result":{}},{"jsonrpc":"2.0","id":"mcptest-b2",` +
				`"result":{}}]`)
		})}},
		"RPC-011": {{name: "a code of its own", with: []string{"RPC-016"},
			defect: intercept(contains(`["mcptest"]`), func(body []byte) []byte {
				return []byte(`{"jsonrpc":"2.0","id":` + string(At(body, "/id")) +
					`,"error":{"code":-32050,"message":"mine"}}`)
			})}, {name: "a retired code", with: []string{"RPC-016"},
			defect: intercept(contains(`["mcptest"]`), func(body []byte) []byte {
				return []byte(`{"jsonrpc":"2.0","id":` + string(At(body, "/id")) + `,"error":{"code":-32002,"message":"not found"}}`)
			})}},
		"RPC-021": {{name: "one from the rest", with: []string{"RPC-016"},
			defect: intercept(contains(`["mcptest"]`), func(body []byte) []byte {
				return []byte(`{"jsonrpc":"2.0","id":` + string(At(body, "/id")) +
					`,"error":{"code":-32150,"message":"mine"}}`)
			})}},
		"RPC-012": {{name: "asks", with: []string{"WIRE-001"}, also: []string{"WIRE-004"},
			defect: first("tools/list", func(c *exemplar.Call) {
				c.Send([]byte(`{"jsonrpc":"2.0","id":"q","method":"roots/list"}`))
			})}},
		"RPC-013": {{name: "1.0", defect: reply("resources/list", set("/jsonrpc", `"1.0"`))},
			{name: "cut", on: OnHTTP, also: everyCheck(), defect: answer("resources/list",
				func(_ *exemplar.Call, r []byte) []byte { return r[:len(r)-3] })}},
		"RPC-014": {{name: "twice", defect: answer("prompts/list", func(c *exemplar.Call, r []byte) []byte {
			c.Send(r)
			return r
		})}, {name: "an id as a string", with: []string{"RES-006"}, defect: answer("resources/read", func(c *exemplar.Call, r []byte) []byte {
			if schema.Kind(c.ID) == '"' {
				return r
			}
			return edited(r, set("/id", `"`+string(c.ID)+`"`))
		})}},
		"RPC-015": {{name: "one id for all", only: legacy, defect: first("tools/list", func(c *exemplar.Call) {
			c.Send([]byte(`{"jsonrpc":"2.0","id":"same","method":"ping"}`))
			time.Sleep(20 * time.Millisecond)
			c.Send([]byte(`{"jsonrpc":"2.0","id":"same","method":"ping"}`))
		})}},
		"RPC-016": {{name: "serves", defect: intercept(contains(`["mcptest"]`), func(body []byte) []byte {
			return []byte(`{"jsonrpc":"2.0","id":` + string(At(body, "/id")) +
				`,"result":{"tools":[],"ttlMs":0,"cacheScope":"public","resultType":"complete"}}`)
		})}},
		"RPC-017": {{name: "deaf after it", defect: deafAfter(contains(`"mcptest-17"`))}},
		"RPC-018": {{name: "loses some", on: OnPipe, defect: crowded(12)}},
		"RPC-019": {{name: "mixes them up", also: []string{"RPC-014"}, defect: retyped(`"4711"`, `4711`)}},
		"RPC-022": {
			{name: "unknown tools", also: []string{"TOOL-009", "TOOL-012", "TOOL-026", "TOOL-027", "MRTR-004"},
				defect: answer("tools/call", anonymous)},
			{name: "unknown methods, without id", on: OnPipe, also: []string{"RPC-003"},
				defect: answer("mcptest/no-such-method",
					func(_ *exemplar.Call, r []byte) []byte { return edited(r, remove("/id")) })},
		},
		"RPC-020": {{name: "refuses", defect: answer("*", func(c *exemplar.Call, r []byte) []byte {
			if At(c.Params, "/mcptest-unknown") == nil {
				return r
			}
			return c.Refuse(-32602, "mcptest-unknown is not allowed")
		})}},
	}
}

// retyped changes an id in every answer.
func retyped(id, into string) func(*exemplar.Server) {
	return answer("*", func(c *exemplar.Call, r []byte) []byte {
		if string(c.ID) != id {
			return r
		}
		return []byte(strings.Replace(string(r), `"id":`+id, `"id":`+into, 1))
	})
}

// anonymous takes the id out of an error.
func anonymous(_ *exemplar.Call, r []byte) []byte {
	if At(r, "/error") == nil {
		return r
	}
	return edited(r, set("/id", "null"))
}

// unknownMethod answers methods that do not exist.
func unknownMethod(h exemplar.Handler) func(*exemplar.Server) {
	return instead("mcptest/no-such-method", h)
}

// contains tells bodies in which a text stands.
func contains(text string) func([]byte) bool {
	return func(body []byte) bool { return bytes.Contains(body, []byte(text)) }
}

// intercept answers some bodies before the server reads them, on a pipe and over HTTP.
func intercept(which func(body []byte) bool, reply func(body []byte) []byte) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Input = func(l *exemplar.Line, line []byte) bool {
			if !which(line) {
				return false
			}
			l.Write(reply(line))
			return true
		}
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				if r.Method != http.MethodPost || !which(body) {
					next.ServeHTTP(w, r)
					return
				}
				serve.WriteReply(w, http.StatusOK, reply(body))
			})
		}
	}
}

// deafAfter is a server on a pipe that hears nothing more after some lines.
func deafAfter(which func(line []byte) bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var deaf sync.Map // the lines on which nothing is heard
		s.Input = func(l *exemplar.Line, line []byte) bool {
			if which(line) {
				deaf.Store(l, true)
			}
			_, gone := deaf.Load(l)
			return gone
		}
	}
}

// crowded is a server that loses requests when more than some are under way.
func crowded(most int32) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var running atomic.Int32
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method != "ping" && c.Method != "server/discover" {
					return next(c)
				}
				crowd := running.Add(1)
				time.Sleep(50 * time.Millisecond)
				running.Add(-1)
				if crowd > most {
					<-c.Ctx.Done()
					return nil
				}
				return next(c)
			}
		}
	}
}
