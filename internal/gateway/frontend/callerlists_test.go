package frontend

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A mailServer is a server of the Go SDK that lists by token: each user has its own tools, and the text of the tool that
// all have names the user.
type mailServer struct {
	url   string
	mu    sync.Mutex
	users map[string]*sdk.Server // by token
	calls []string               // token and tool
	lists atomic.Int64
}

type mailInput struct {
	To string `json:"to,omitempty"`
}

func newMailServer(t *testing.T, protocol string, users map[string][]string) *mailServer {
	t.Helper()
	m := &mailServer{users: map[string]*sdk.Server{}}
	for token, tools := range users {
		s := sdk.NewServer(&sdk.Implementation{Name: "mail", Version: "1"}, &sdk.ServerOptions{
			Instructions: "Instructions for " + token})
		m.users[token] = s
		for _, name := range tools {
			m.add(token, name)
		}
		s.AddPrompt(&sdk.Prompt{Name: "prompt-of-" + token}, func(context.Context,
			*sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Description: "for " + token}, nil
		})
		s.AddResource(&sdk.Resource{URI: "mail://" + token, Name: token}, func(context.Context,
			*sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "mail://" + token, Text: token}}}, nil
		})
		s.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
			return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
				if method == "tools/list" {
					m.lists.Add(1)
				}
				return next(ctx, method, r)
			}
		})
	}
	handler := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server { return m.users[m.token(r)] },
		&sdk.StreamableHTTPOptions{Stateless: protocol == "2026-07-28"}) // the SDK serves it without sessions only
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.users[m.token(r)] == nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	m.url = web.URL
	return m
}

func (m *mailServer) token(r *http.Request) string {
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
}

func (m *mailServer) add(token, name string) {
	sdk.AddTool(m.users[token], &sdk.Tool{Name: name, Description: "Letters, for " + token}, func(context.Context,
		*sdk.CallToolRequest, mailInput) (*sdk.CallToolResult, any, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.calls = append(m.calls, token+" "+name)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: name + " by " + token}}}, nil, nil
	})
}

func (m *mailServer) called() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.calls)
}

// A bearer is the credentials of one user.
type bearer string

func (b bearer) Authorize(r *http.Request) { r.Header.Set("Authorization", "Bearer "+string(b)) }

func (b bearer) Renew(context.Context, *http.Request, wire.Frame, int) (bool, error) {
	return false, nil
}

// A mailRig is a gateway before a mail server, whose callers have the tokens of the same name once they are connected.
type mailRig struct {
	*rig
	mail *mailServer

	mu        sync.Mutex
	connected map[string]string // by caller: its account
}

func newMailRig(t *testing.T, expose, protocol string, isolation upstream.Isolation) *mailRig {
	t.Helper()
	mail := newMailServer(t, protocol, map[string][]string{"ann": {"read", "send"}, "bob": {"audit", "read"},
		"gateway": {"admin", "audit", "read", "send"}})
	m := &mailRig{rig: newRig(t, expose, nil, nil), connected: map[string]string{"ann": "1", "bob": "2"}, mail: mail}
	o := upstreamOptions()
	o.Isolation, o.OwnLists, o.Protocol = isolation, true, protocol
	o.Account = func(owner upstream.Owner) wire.Credentials {
		if owner.Caller == "" {
			return bearer("gateway")
		}
		return bearer(owner.Caller)
	}
	o.Authorize = func(_ context.Context, caller string) (string, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.connected[caller] == "" {
			return "", &upstream.AuthorizationError{Server: "mail", Reason: "no account is connected",
				Connect: "https://gateway.example/connect", Advice: "connect your account"}
		}
		return m.connected[caller], nil
	}
	m.Add("mail", wire.Target{URL: m.mail.url}, o)
	eventually(t, "the list of the gateway", func() bool { return len(m.Tools()) == 4 })
	return m
}

func (m *mailRig) connect(caller, account string) {
	m.mu.Lock()
	m.connected[caller] = account
	m.mu.Unlock()
	m.AccountsChanged("mail", func(name string) bool { return name == caller })
}

// everything is all text that a client can get of lists and searches.
func everything(t *testing.T, s *mcp.Session, meta bool) string {
	t.Helper()
	all := ""
	for _, method := range []string{"tools/list", "prompts/list", "resources/list"} {
		list, err := s.List(t.Context(), method)
		if err != nil || list.Refused != nil {
			t.Fatal(err, list.Refused)
		}
		all += string(list.Result())
	}
	if meta {
		for name, arguments := range map[string]string{"catalog_list": `{"brief":false}`,
			"catalog_search": `{"query":"letters","limit":100}`, "search_servers": `{"query":"letters"}`,
			"describe_server": `{"server":"mail"}`, "catalog_prompts": `{}`, "catalog_resources": `{}`} {
			all += callMeta(t, s, name, arguments)
		}
	}
	return all
}

// Two users of a server that lists by token see and call their own tools, in both eras on both sides, as tools and
// through the meta-tools; a user without an account sees none, and learns where to connect one.
func TestEachCallerSeesItsOwnList(t *testing.T) {
	t.Parallel()
	for _, isolation := range []upstream.Isolation{upstream.PerCaller, upstream.PerSession} {
		for _, behind := range protocols {
			for _, protocol := range protocols {
				for _, expose := range []string{All, Meta} {
					t.Run(fmt.Sprint(isolation, behind, protocol, expose), func(t *testing.T) {
						t.Parallel()
						checkOwnLists(t, newMailRig(t, expose, behind, isolation), protocol, expose == Meta)
					})
				}
			}
		}
	}
}

func checkOwnLists(t *testing.T, m *mailRig, protocol string, meta bool) {
	t.Helper()
	clients := map[string]*mcp.Session{}
	for _, who := range []string{"ann", "bob", "eve"} {
		clients[who] = m.dial(t, protocol, who, mcp.Options{})
	}
	if got := clients["eve"].Instructions; !strings.Contains(got, "https://gateway.example/connect") {
		t.Errorf("the instructions for eve are %q, want where to connect an account", got)
	}
	own := map[string][]string{"ann": {"mail__read", "mail__send"}, "bob": {"mail__audit", "mail__read"}}
	for who, s := range clients {
		got := everything(t, s, meta)
		for _, other := range []string{"ann", "bob", "gateway"} {
			seen := strings.Contains(got, "for "+other) || strings.Contains(got, "prompt-of-"+other) ||
				strings.Contains(got, "mail://"+other)
			if seen != (other == who) {
				t.Errorf("%s sees what is listed for %s: %v\n%s", who, other, seen, got)
			}
		}
		if listed := names(t, s); !meta && !slices.Equal(listed, own[who]) {
			t.Errorf("%s: listed %v, want %v", who, listed, own[who])
		}
	}
	calls := func(who, tool string) string {
		if !meta {
			return call(t, clients[who], "mail__"+tool, `{}`)
		}
		return callMeta(t, clients[who], "describe_tool", `{"name":"mail__`+tool+`"}`) +
			call(t, clients[who], "invoke_tool", `{"name":"mail/`+tool+`","arguments":{}}`)
	}
	for _, test := range []struct{ who, tool, want string }{
		{"ann", "send", "send by ann"}, {"ann", "read", "read by ann"}, {"bob", "audit", "audit by bob"},
		{"ann", "audit", "not found|Unknown tool"}, {"bob", "send", "not found|Unknown tool"},
		{"bob", "admin", "not found|Unknown tool"}, {"eve", "read", "AuthorizationError"},
		{"eve", "read", "https://gateway.example/connect"},
	} {
		got := calls(test.who, test.tool)
		if !slices.ContainsFunc(strings.Split(test.want, "|"), func(want string) bool {
			return strings.Contains(got, want)
		}) {
			t.Errorf("%s calls %s: %s, want %s", test.who, test.tool, got, test.want)
		}
	}
	if got := m.mail.called(); len(got) != 3 {
		t.Errorf("calls that reached the server: %v, want 3", got)
	}
}

// The caller whose list changes is notified, in both eras, and no other; so is one that connects an account, or removes
// it.
func TestListOfACallerChanges(t *testing.T) {
	t.Parallel()
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			m := newMailRig(t, All, "2025-11-25", upstream.PerCaller)
			heard := map[string]*atomic.Int64{}
			clients := map[string]*mcp.Session{}
			for _, who := range []string{"ann", "bob", "eve"} {
				count := &atomic.Int64{}
				heard[who] = count
				clients[who] = m.dial(t, protocol, who, mcp.Options{OnNotification: func(n mcp.Message) {
					if n.Method == toolsChanged {
						count.Add(1)
					}
				}})
				if _, err := clients[who].Listen(t.Context(), mcp.Filter{Tools: true}); err != nil {
					t.Fatal(err)
				}
				names(t, clients[who])
			}
			read := m.mail.lists.Load()
			for range 10 {
				names(t, clients["ann"])
			}
			if got := m.mail.lists.Load(); got != read {
				t.Errorf("%d lists read for a list that is known", got-read)
			}
			before := heard["bob"].Load()
			m.mail.add("ann", "archive")
			eventually(t, "the notification", func() bool { return heard["ann"].Load() > 0 })
			eventually(t, "the new tool", func() bool { return slices.Contains(names(t, clients["ann"]), "mail__archive") })

			m.mail.users["eve"] = sdk.NewServer(&sdk.Implementation{Name: "mail", Version: "1"}, nil)
			m.mail.add("eve", "read")
			m.connect("eve", "3")
			eventually(t, "the notification of eve", func() bool { return heard["eve"].Load() > 0 })
			if got := names(t, clients["eve"]); !slices.Equal(got, []string{"mail__read"}) {
				t.Errorf("with an account: %v, want its tool", got)
			}
			m.connect("ann", "")
			if got := names(t, clients["ann"]); len(got) > 0 {
				t.Errorf("without an account: %v, want none", got)
			}
			if got := call(t, clients["ann"], "mail__archive", `{}`); !strings.Contains(got, "AuthorizationError") {
				t.Errorf("a call without an account: %s", got)
			}
			if got := heard["bob"].Load(); got != before {
				t.Errorf("bob got %d notifications of changes that are not his", got-before)
			}
		})
	}
}

// A list is read again when it is old, even if the server has announced no change, and after the account was changed.
func TestListOfACallerExpires(t *testing.T) {
	t.Parallel()
	m := newMailRig(t, All, "2026-07-28", upstream.PerCaller)
	ann := m.dial(t, "2025-11-25", "ann", mcp.Options{})
	names(t, ann)
	read := m.mail.lists.Load()
	m.lists.mu.Lock()
	for _, r := range m.lists.all {
		r.read = r.read.Add(-callerListTTL)
	}
	m.lists.mu.Unlock()
	if got := names(t, ann); !slices.Equal(got, []string{"mail__read", "mail__send"}) || m.mail.lists.Load() != read+1 {
		t.Errorf("after its time: %v, with %d lists read, want 1", got, m.mail.lists.Load()-read)
	}
	m.mu.Lock()
	m.connected["ann"] = "4" // in another replica: nobody tells this one
	m.mu.Unlock()
	read = m.mail.lists.Load()
	if got := names(t, ann); len(got) != 2 || m.mail.lists.Load() == read {
		t.Errorf("with another account: %v, with %d lists read, want at least 1", got, m.mail.lists.Load()-read)
	}
}

// The lists in memory are bounded; those that were used least recently are dropped, with their tools in the catalog.
func TestListsOfCallersAreBounded(t *testing.T) {
	r := newRig(t, All, nil, nil)
	const more = 50
	for i := range maxCallerLists + more {
		name := fmt.Sprintf("caller%05d", i)
		surface := &mcp.Surface{Tools: &mcp.List{Items: []mcp.Item{{Name: name,
			Raw: []byte(`{"name":"` + name + `","inputSchema":{"type":"object"}}`)}}}}
		if i >= more && i%100 != 0 {
			surface.Tools = nil // each different definition costs the index a little
		}
		r.ownListed("mail", upstream.Owner{Caller: name, Account: "1"}, &mcp.Session{}, surface)
	}
	r.lists.mu.Lock()
	defer r.lists.mu.Unlock()
	if len(r.lists.all) != maxCallerLists {
		t.Errorf("%d lists, want %d", len(r.lists.all), maxCallerLists)
	}
	if r.lists.all[listKey{"mail", "caller00000", nil}] != nil ||
		r.lists.all[listKey{"mail", fmt.Sprintf("caller%05d", maxCallerLists+more-1), nil}] == nil {
		t.Error("the wrong lists were dropped")
	}
	if want := len(r.lists.all[listKey{"mail", "caller00100", nil}].list.view.tools); want != 1 {
		t.Errorf("a list that is kept has %d tools", want)
	}
	if r.lists.bytes < 0 || r.lists.bytes > 100*200 {
		t.Errorf("%d bytes", r.lists.bytes)
	}
}

// A server that does not list does not delay the list of the others for longer than the others after the start, and not
// every time.
func TestSlowListOfACaller(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	t.Cleanup(slow.Close)
	m := newMailRig(t, All, "2025-11-25", upstream.PerCaller)
	t.Cleanup(func() { close(hang) })
	o := upstreamOptions()
	o.Isolation, o.OwnLists = upstream.PerCaller, true
	o.Authorize = func(context.Context, string) (string, error) { return "1", nil }
	m.Add("slow", wire.Target{URL: slow.URL}, o)
	ann := m.dial(t, "2026-07-28", "ann", mcp.Options{})
	begun := time.Now()
	if got := names(t, ann); !slices.Equal(got, []string{"mail__read", "mail__send"}) {
		t.Errorf("listed %v, want the tools of the other server", got)
	}
	const more = 5
	for range more {
		names(t, ann)
	}
	if waited := time.Since(begun); waited > more*m.opts.Grace {
		t.Errorf("%d lists waited %v, want about %v", more+1, waited, m.opts.Grace)
	}
}
