package conform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// isLarge reports whether a body is larger than some frameworks allow.
func isLarge(_ *http.Request, body []byte) bool { return len(body) > 100_000 }

func httpMutants() map[string][]mutant {
	legacy := []string{"2025-03-26", "2025-06-18", "2025-11-25"}
	return map[string][]mutant{
		"HTTP-001": {{name: "plain", defect: outgoing(func(_ *http.Request, h http.Header, status int) int {
			if h.Get("Content-Type") == "application/json" {
				h.Set("Content-Type", "text/plain")
			}
			return status
		})}},
		"HTTP-002": {{name: "200", also: []string{"HTTP-003"},
			defect: outgoing(func(_ *http.Request, _ http.Header, status int) int {
				if status == http.StatusAccepted {
					return http.StatusOK
				}
				return status
			})}},
		"HTTP-043": {{name: "to all", also: []string{"LOG-003"}, only: legacy, defect: onCall("echo", func(c *exemplar.Call) {
			if text := At(c.Params, "/arguments/text"); schema.Kind(text) == '"' {
				c.Broadcast("notifications/message", `{"level":"info","data":`+string(text)+`}`)
			}
		})}},
		"HTTP-049": {{name: "one history", also: []string{"TOOL-033", "RPC-023"}, only: legacy[2:],
			defect: remembersTexts(func(*exemplar.Call) string { return "" })},
			{name: "IDs of all sessions", only: legacy[2:], defect: showsSessions}},
		"HTTP-044": {
			{name: "413", defect: instant(isLarge, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
				http.Error(w, "request entity too large", http.StatusRequestEntityTooLarge)
			})},
			{name: "no response", defect: instant(isLarge, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
				panic(http.ErrAbortHandler)
			})},
			{name: "400 with a result", only: legacy, defect: instant(isLarge, func(w http.ResponseWriter, _ *http.Request,
				_ []byte) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":"mcptest-large","result":{}}`))
			})},
		},
		"HTTP-046": {
			{name: "allows too little", defect: cors("Content-Type", "Mcp-Session-Id")},
			{name: "exposes nothing", only: legacy, defect: cors("*", "")},
		},
		"HTTP-047": {
			{name: "to whoever used the ID last", also: everyCheck(), patience: 2 * time.Second, defect: byID(true)},
			{name: "forgets whoever used the ID first", also: everyCheck(), patience: 2 * time.Second, defect: byID(false)},
		},
		"HTTP-048": {
			{name: "every event", also: []string{"HTTP-032"}, defect: replays(func(recordedEvent, int, int) bool { return true })},
			{name: "every stream", also: []string{"HTTP-032"},
				defect: replays(func(_ recordedEvent, i, last int) bool { return i > last })},
			{name: "from the last event on", also: []string{"HTTP-032"}, defect: replays(func(e recordedEvent, i,
				last int) bool {
				return i >= last && e.sameStream
			})},
			{name: "the first event of the general stream", also: everyCheck(), defect: instant(func(r *http.Request,
				_ []byte) bool {
				return r.Method == http.MethodGet
			}, func(w http.ResponseWriter, r *http.Request, _ []byte) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, "id: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			})},
		},
		"HTTP-003": {{name: "500", defect: statusFor("mcptest-nobody-asked", http.StatusInternalServerError)}},
		"HTTP-004": {
			{name: "every page", also: []string{"HTTP-005"},
				defect: incoming(func(r *http.Request, _ []byte) { seemLocal(r) })},
			{name: "what agrees with the Host", defect: incoming(func(r *http.Request, _ []byte) {
				if r.Header.Get("Origin") == "http://"+r.Host {
					seemLocal(r)
				}
			})},
			{name: "looks at the Host alone", defect: incoming(func(r *http.Request,
				_ []byte) {
				r.Header.Del("Origin")
			})},
			{name: "every page, elsewhere", far: true,
				defect: incoming(func(r *http.Request, _ []byte) { seemLocal(r) })},
			{name: "begins with localhost", defect: incoming(func(r *http.Request, _ []byte) {
				if strings.HasPrefix(r.Header.Get("Origin"), "http://localhost") {
					seemLocal(r)
				}
			})},
			{name: "begins with an address", defect: incoming(func(r *http.Request, _ []byte) {
				if strings.HasPrefix(r.Header.Get("Origin"), "http://127.0.0.1") {
					r.Header.Del("Origin")
				}
			})},
			{name: "ends with localhost", defect: incoming(func(r *http.Request, _ []byte) {
				if strings.HasSuffix(r.Header.Get("Origin"), "localhost") {
					r.Header.Del("Origin")
				}
			})},
			{name: "null", defect: incoming(func(r *http.Request, _ []byte) {
				if r.Header.Get("Origin") == "null" {
					r.Header.Del("Origin")
				}
			})},
			{name: "begins with its host, elsewhere", far: true, defect: elsewhereIf(func(origin string) bool {
				return strings.HasPrefix(origin, "http://mutant.example")
			})},
			{name: "ends with its host, elsewhere", far: true, defect: elsewhereIf(func(origin string) bool {
				return strings.HasSuffix(origin, "mutant.example")
			})},
			{name: "400", only: []string{"2025-11-25", "2026-07-28"},
				defect: outgoing(func(r *http.Request, _ http.Header, status int) int {
					if r.Header.Get("Origin") != "" {
						return http.StatusBadRequest
					}
					return status
				})},
		},
		"HTTP-005": {{name: "any", defect: incoming(func(r *http.Request, _ []byte) { r.Host = "127.0.0.1" })}},
		"HTTP-006": {{name: "a blank in it", defect: blankSession}},
		"HTTP-007": {{name: "400", defect: outgoing(func(r *http.Request, _ http.Header, status int) int {
			if r.Header.Get("Mcp-Session-Id") == "mcptest-no-such-session" {
				return http.StatusBadRequest
			}
			return status
		})}},
		"HTTP-008": {{name: "404", defect: instant(func(r *http.Request, body []byte) bool {
			return r.Header.Get("Mcp-Session-Id") == "" && bytes.Contains(body, []byte(`"ping"`)) &&
				bytes.Contains(body, []byte(`"params":{}`))
		}, func(w http.ResponseWriter, r *http.Request, body []byte) {
			serve.WriteReply(w, http.StatusNotFound,
				[]byte(`{"jsonrpc":"2.0","id":`+string(At(body, "/id"))+
					`,"error":{"code":-32600,"message":"no session"}}`))
		})}},
		"HTTP-009": {{name: "ends nothing", defect: instant(func(r *http.Request,
			_ []byte) bool {
			return r.Method == http.MethodDelete
		},
			func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(http.StatusOK) })}},
		"HTTP-010": {{name: "a page", defect: instant(func(r *http.Request,
			_ []byte) bool {
			return r.Method == http.MethodGet
		},
			func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = io.WriteString(w, "<p>Hello") })}},
		"HTTP-011": {{name: "a page", defect: instant(func(r *http.Request,
			_ []byte) bool {
			return r.Method == http.MethodGet
		},
			func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = io.WriteString(w, "<p>Hello") })}},
		"HTTP-012": {{name: "does not look", defect: incoming(func(r *http.Request, _ []byte) {
			if r.Header.Get("Mcp-Protocol-Version") == "1999-01-01" {
				r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
			}
		})}},
		"HTTP-013": {{name: "does not look", defect: incoming(func(r *http.Request, body []byte) {
			if r.Header.Get("Mcp-Protocol-Version") == "2025-11-25" && bytes.Contains(body, []byte("2026-07-28")) {
				r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			}
		})}, {name: "another error in 200", defect: instant(func(r *http.Request, body []byte) bool {
			return r.Header.Get("Mcp-Protocol-Version") == "2025-11-25" && bytes.Contains(body, []byte("server/discover"))
		}, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			serve.WriteReply(w, http.StatusOK, []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,`+
				`"message":"Method not found","data":"server/discover"}}`))
		})}},
		"HTTP-014": {{name: "does without", defect: incoming(func(r *http.Request, body []byte) {
			if r.Header.Get("Mcp-Method") == "" {
				r.Header.Set("Mcp-Method", schema.TextAt(body, "/method"))
			}
		})}},
		"HTTP-015": {{name: "does not look", defect: incoming(func(r *http.Request, body []byte) {
			if r.Header.Get("Mcp-Method") != "" {
				r.Header.Set("Mcp-Method", schema.TextAt(body, "/method"))
			}
		})}},
		"HTTP-016": {{name: "does not look", defect: incoming(func(r *http.Request, body []byte) {
			if r.Header.Get("Mcp-Name") == "mcptest-another" {
				r.Header.Set("Mcp-Name", schema.TextAt(body, "/params/name")+schema.TextAt(body, "/params/uri"))
			}
		})}},
		"HTTP-017": {{name: "200", defect: statusFor("mcptest/no-such-method", http.StatusOK)}},
		"HTTP-018": {{name: "200", defect: statusFor("2099-12-31", http.StatusOK)}},
		"HTTP-019": {{name: "200", defect: statusFor(`"params":{}}`, http.StatusOK)}},
		"HTTP-020": {{name: "streams", defect: instant(func(r *http.Request, body []byte) bool {
			return r.Method == http.MethodPost && !strings.Contains(r.Header.Get("Accept"), "event-stream")
		}, func(w http.ResponseWriter, _ *http.Request, body []byte) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":`+string(At(body, "/id"))+
				`,"error":{"code":-32600,"message":"no"}}`+"\n\n")
		})}},
		"HTTP-021": {{name: "500", defect: statusFor(`"method":`+"\x00", http.StatusInternalServerError)},
			{name: "200", defect: statusFor(`"method":`+"\x00", http.StatusOK)}},
		"HTTP-022": {{name: "half a message", defect: first("tools/list",
			func(c *exemplar.Call) { c.Send([]byte(`hello`)) })}},
		"HTTP-023": {{name: "all the same", defect: incoming(func(r *http.Request, _ []byte) {
			if r.Method == http.MethodPut {
				r.Method = http.MethodPost
			}
		})}},
		"HTTP-024": {{name: "a session", defect: outgoing(func(r *http.Request, h http.Header, status int) int {
			h.Set("Mcp-Session-Id", "one")
			return status
		})}},
		"HTTP-025": {{name: "as it is", defect: instant(func(r *http.Request,
			_ []byte) bool {
			return strings.HasPrefix(r.Header.Get("Mcp-Name"), "=?base64?")
		},
			func(w http.ResponseWriter, _ *http.Request, body []byte) {
				serve.WriteReply(w, http.StatusBadRequest,
					[]byte(`{"jsonrpc":"2.0","id":`+string(At(body, "/id"))+
						`,"error":{"code":-32020,"message":"mismatch"}}`))
			})}},
		"HTTP-026": {{name: "one for all", defect: oneSession}},
		"HTTP-050": {{name: "the last one", defect: lastSession(func(last string) string { return last })}},
		"HTTP-027": {{name: "always the same", only: legacy, also: []string{"LIFE-012"},
			defect: func(s *exemplar.Server) {
				first("tools/list", func(c *exemplar.Call) {
					c.Notify("notifications/tools/list_changed", `{}`)
					c.Notify("notifications/tools/list_changed", `{}`)
				})(s)
				written("event: message\n", "id: 7\nevent: message\n")(s)
			}}},
		"HTTP-028": {{name: "takes it", defect: incoming(func(r *http.Request, _ []byte) {
			if r.Header.Get("Content-Type") == "text/plain" {
				r.Header.Set("Content-Type", "application/json")
			}
		})}},
		"HTTP-029": {{name: "a list", also: []string{"RPC-013", "LIFE-020"}, defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					r := next(c)
					if c.Fault == nil && (c.Method == "ping" && !c.Modern ||
						c.Method == "server/discover" && c.Modern) {
						return append(append([]byte("["), r...), ']')
					}
					return r
				}
			}
		}}},
		"HTTP-031": {{name: "one spelling", defect: func(*exemplar.Server) {}, raw: func(line []byte) []byte {
			return bytes.ReplaceAll(line, []byte("\r\nACCEPT:"), []byte("\r\nX-WHAT:"))
		}}},
		"HTTP-032": {
			{name: "gives up", defect: abandons(func(c *exemplar.Call) []byte {
				return c.Refuse(-32000,
					"cancelled")
			})},
			{name: "forgets", defect: forgets},
		},
		"HTTP-033": {{name: "does without", defect: incoming(func(r *http.Request, body []byte) {
			if r.Header.Get("Mcp-Name") == "" {
				r.Header.Set("Mcp-Name", schema.TextAt(body, "/params/name")+schema.TextAt(body, "/params/uri"))
			}
		})}},
		"HTTP-034": {{name: "200", with: []string{"MRTR-002"},
			defect: answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
				if string(At(r, "/error/code")) == "-32021" {
					c.Status = http.StatusOK
				}
				return r
			})}},
		"HTTP-035": {{name: "does not look", defect: incoming(func(r *http.Request, body []byte) {
			if r.Header.Get("Mcp-Param-Place") == "mcptest-another" {
				r.Header.Set("Mcp-Param-Place", schema.TextAt(body, "/params/arguments/place"))
			}
		})}},
		"HTTP-030": {{name: "not marked", with: []string{"SUB"},
			defect: outgoing(func(_ *http.Request, h http.Header, status int) int {
				h.Del("X-Accel-Buffering")
				return status
			})}},
	}
}

// cors allows pages of all origins to send and to read some headers.
func cors(allowed, exposed string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Origin") == "http://localhost:6274" {
					w.Header().Set("Access-Control-Allow-Origin", "*")
					w.Header().Set("Access-Control-Expose-Headers", exposed)
				}
				if r.Method == http.MethodOptions {
					w.Header().Set("Access-Control-Allow-Headers", allowed)
					w.WriteHeader(http.StatusNoContent)
					return
				}
				next.ServeHTTP(w, r)
			})
		}
	}
}

// incoming changes requests before the server sees them.
func incoming(change func(r *http.Request, body []byte)) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				change(r, body)
				next.ServeHTTP(w, r)
			})
		}
	}
}

// elsewhereIf is a server on another machine that accepts some origins.
func elsewhereIf(accepted func(origin string) bool) func(*exemplar.Server) {
	return incoming(func(r *http.Request, _ []byte) {
		if origin := r.Header.Get("Origin"); origin == "" || accepted(origin) {
			r.Header.Del("Origin")
		}
		r.Host = "127.0.0.1"
	})
}

// seemLocal makes a request look like one of this machine's own.
func seemLocal(r *http.Request) {
	r.Header.Del("Origin")
	r.Host = "127.0.0.1"
}

// instant answers some requests before the server sees them.
func instant(which func(r *http.Request, body []byte) bool,
	answer func(w http.ResponseWriter, r *http.Request, body []byte)) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				if which(r, body) {
					answer(w, r, body)
					return
				}
				next.ServeHTTP(w, r)
			})
		}
	}
}

// outgoing changes the head of answers.
func outgoing(change func(r *http.Request, h http.Header, status int) int) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(&changedWriter{ResponseWriter: w,
					head: func(h http.Header, status int) int { return change(r, h, status) }}, r)
			})
		}
	}
}

// statusFor answers requests in whose body a text stands with another status; a NUL in it stands for the end.
func statusFor(text string, status int) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				if r.Method == http.MethodPost && bytes.Contains(append(body, 0), []byte(text)) {
					w = &changedWriter{ResponseWriter: w, head: func(http.Header, int) int { return status }}
				}
				next.ServeHTTP(w, r)
			})
		}
	}
}

// written replaces a text in what is written.
func written(from, to string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				next.ServeHTTP(&changedWriter{ResponseWriter: w,
					body: func(p []byte) []byte { return bytes.ReplaceAll(p, []byte(from), []byte(to)) }}, r)
			})
		}
	}
}

// blankSession puts a blank into session ids.
func blankSession(s *exemplar.Server) {
	s.Web = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if id := r.Header.Get("Mcp-Session-Id"); id != "" {
				r.Header.Set("Mcp-Session-Id", strings.TrimPrefix(id, "my "))
			}
			next.ServeHTTP(&changedWriter{ResponseWriter: w, head: func(h http.Header, status int) int {
				if id := h.Get("Mcp-Session-Id"); id != "" {
					h.Set("Mcp-Session-Id", "my "+id)
				}
				return status
			}}, r)
		})
	}
}

// oneSession gives everybody who says nothing special of himself the same session, which nobody can end.
func oneSession(s *exemplar.Server) {
	var mu sync.Mutex
	common := ""
	s.Web = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			plain := bytes.Contains(body, []byte(`"clientInfo":{"name":"mcptest","version":"1"}`))
			mu.Lock()
			ends := r.Method == http.MethodDelete && r.Header.Get("Mcp-Session-Id") == common
			mu.Unlock()
			if ends {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			next.ServeHTTP(&changedWriter{ResponseWriter: w, head: func(h http.Header, status int) int {
				mu.Lock()
				defer mu.Unlock()
				if id := h.Get("Mcp-Session-Id"); id != "" && plain {
					common = cmp.Or(common, id)
					h.Set("Mcp-Session-Id", common)
				}
				return status
			}}, r)
		})
	}
}

// abandons tells a little of the call whose stream will break, and answers it by a function as soon as it has.
func abandons(answer exemplar.Handler) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if schema.TextAt(c.Params, "/_meta/progressToken") != "mcptest-broken" || c.Fault != nil {
					return next(c)
				}
				c.Notify("notifications/progress", `{"progressToken":"mcptest-broken","progress":0.5}`)
				<-c.Gone
				return answer(c)
			}
		}
	}
}

// forgets drops a call whose stream broke: whoever comes back for it hears nothing more, at once.
func forgets(s *exemplar.Server) {
	abandons(func(*exemplar.Call) []byte { return nil })(s)
	var lost sync.Map // the sessions and events after which nothing comes
	s.Web = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			session := r.Header.Get("Mcp-Session-Id") + " "
			if _, ok := lost.Load(session + r.Header.Get("Last-Event-ID")); ok {
				w.Header().Set("Content-Type", "text/event-stream")
				return
			}
			if bytes.Contains(body, []byte(`"mcptest-broken"`)) {
				w = &changedWriter{ResponseWriter: w, body: func(p []byte) []byte {
					if id, ok := strings.CutPrefix(string(p), "id: "); ok {
						lost.Store(session+strings.TrimSpace(id), true)
					}
					return p
				}}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// byID sends the response to a call to the client that last used its ID, or to nobody if that is another client.
func byID(toLast bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var mu sync.Mutex
		waiting := map[string]chan *httptest.ResponseRecorder{}
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				r.Body = io.NopCloser(bytes.NewReader(body))
				if schema.TextAt(body, "/method") != "tools/call" {
					next.ServeHTTP(w, r)
					return
				}
				id, own := string(At(body, "/id")), make(chan *httptest.ResponseRecorder, 2)
				mu.Lock()
				waiting[id] = own
				mu.Unlock()
				response := httptest.NewRecorder()
				next.ServeHTTP(response, r)
				time.Sleep(50 * time.Millisecond) // the other call begins meanwhile
				mu.Lock()
				if to := waiting[id]; to == own || toLast && to != nil {
					to <- response
				}
				if toLast {
					delete(waiting, id)
				}
				mu.Unlock()
				select {
				case response = <-own:
					maps.Copy(w.Header(), response.Header())
					w.WriteHeader(response.Code)
					_, _ = w.Write(response.Body.Bytes())
				case <-r.Context().Done():
				}
			})
		}
	}
}

// A recordedEvent is an event that a server sent.
type recordedEvent struct {
	id, text   string
	sameStream bool // as the event after which a client resumes
}

// replays resumes streams itself: it sends the recorded events of the session for which the function returns true, by
// their position and that of the last event that the client received.
func replays(which func(e recordedEvent, i, last int) bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var mu sync.Mutex
		sent := map[string][]recordedEvent{}
		s.Web = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				session, seen := r.Header.Get("Mcp-Session-Id"), r.Header.Get("Last-Event-ID")
				mu.Lock()
				events := slices.Clone(sent[session])
				mu.Unlock()
				last := slices.IndexFunc(events, func(e recordedEvent) bool { return e.id == seen })
				if seen == "" || last < 0 {
					next.ServeHTTP(&changedWriter{ResponseWriter: w, body: func(p []byte) []byte {
						mu.Lock()
						defer mu.Unlock()
						if id, ok := strings.CutPrefix(string(p), "id: "); ok {
							sent[session] = append(sent[session], recordedEvent{id: strings.TrimSpace(id)})
						}
						if all := sent[session]; len(all) > 0 && bytes.HasPrefix(p, []byte("event:")) {
							all[len(all)-1].text = string(p)
						}
						return p
					}}, r)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				stream, _, _ := strings.Cut(seen, "-")
				for i, e := range events {
					e.sameStream = strings.HasPrefix(e.id, stream+"-")
					if which(e, i, last) {
						_, _ = io.WriteString(w, "id: "+e.id+"\n"+e.text)
					}
				}
			})
		}
	}
}

// A changedWriter changes what a handler writes.
type changedWriter struct {
	http.ResponseWriter
	head func(h http.Header, status int) int
	body func([]byte) []byte
	done bool
}

func (w *changedWriter) WriteHeader(status int) {
	w.done = true
	if w.head != nil {
		status = w.head(w.Header(), status)
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *changedWriter) Write(p []byte) (int, error) {
	if !w.done {
		w.WriteHeader(http.StatusOK)
	}
	changed := p
	if w.body != nil {
		changed = w.body(p)
	}
	if _, err := w.ResponseWriter.Write(changed); err != nil {
		return 0, err
	}
	return len(p), nil
}

// showsSessions has a tool that lists the sessions of all clients.
func showsSessions(s *exemplar.Server) {
	var ids sync.Map
	extraTools(`{"name":"debug_status","description":"Shows the status of the server.","inputSchema":{"type":"object",`+
		`"additionalProperties":false},"annotations":{"readOnlyHint":true}}`, func(string, json.RawMessage) string {
		var all []string
		ids.Range(func(id, _ any) bool {
			all = append(all, id.(string))
			return true
		})
		slices.Sort(all)
		raw, _ := json.Marshal(all) // strings always marshal
		return string(raw)
	})(s)
	s.Web = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(&changedWriter{ResponseWriter: w, head: func(h http.Header, status int) int {
				if id := h.Get("Mcp-Session-Id"); id != "" {
					ids.Store(id, true)
				}
				return status
			}}, r)
		})
	}
}

func (w *changedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// remembersTexts lets a tool return the last text that echo got, one for each owner.
func remembersTexts(owner func(*exemplar.Call) string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var texts sync.Map
		answer("tools/call", func(c *exemplar.Call, r []byte) []byte {
			switch schema.TextAt(c.Params, "/name") {
			case "echo":
				texts.Store(owner(c), schema.TextAt(c.Params, "/arguments/text"))
			case "count":
				if last, ok := texts.Load(owner(c)); ok {
					return edited(r, set("/result/content/0/text", fmt.Sprintf("%q", last)))
				}
			}
			return r
		})(s)
	}
}
