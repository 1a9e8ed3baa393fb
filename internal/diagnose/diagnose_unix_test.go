//go:build unix

package diagnose

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A scene is a machine with config files and programs.
type scene struct {
	t    *testing.T
	home string
	env  map[string]string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	home := t.TempDir()
	return &scene{t, home, map[string]string{"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin"}}
}

func (s *scene) write(name, text string, mode os.FileMode) string {
	s.t.Helper()
	file := filepath.Join(s.home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
	return file
}

// The config files of clients.
const (
	codeFile    = ".claude.json"
	desktopFile = ".config/Claude/claude_desktop_config.json"
	cursorFile  = ".cursor/mcp.json"
	geminiFile  = ".gemini/settings.json"
	codexFile   = ".codex/config.toml"
)

// entry configures the server srv.
func (s *scene) entry(file string, fields map[string]any) {
	s.t.Helper()
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"srv": fields}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(file, string(text), 0o600)
}

// codex configures the server of this test in Codex, with more lines of its entry.
func (s *scene) codex(mode, more string) {
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(codexFile, fmt.Sprintf("[mcp_servers.srv]\ncommand = %q\nargs = [\"__server\", %q]\n%s\n", self, mode, more),
		0o600)
}

// script configures a shell script that writes to stderr and exits.
func (s *scene) script(stderr string, status int) {
	file := s.write("server.sh", fmt.Sprintf("#!/bin/sh\ncat >&2 <<'END'\n%s\nEND\nexit %d\n", stderr, status), 0o700)
	s.entry(codeFile, map[string]any{"command": file})
}

// server configures the server of this test with a defect.
func (s *scene) server(file, mode string, args ...string) {
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	s.entry(file, map[string]any{"command": self, "args": append([]string{"__server", mode}, args...)})
}

// web configures an HTTP server.
func (s *scene) web(handler http.HandlerFunc, headers map[string]string) *httptest.Server {
	server := httptest.NewServer(handler)
	s.t.Cleanup(server.Close)
	s.entry(codeFile, map[string]any{"type": "http", "url": server.URL + "/mcp", "headers": headers})
	return server
}

// why diagnoses the server srv.
func (s *scene) why(client string) *Diagnosis {
	s.t.Helper()
	lookup := func(name string) (string, bool) { value, set := s.env[name]; return value, set }
	sys := target.System{System: config.System{GOOS: "linux", Home: s.home, Dir: s.home, Lookup: lookup},
		LookPath: exec.LookPath}
	for name, value := range s.env {
		sys.Environ = append(sys.Environ, name+"="+value)
	}
	d, err := Run(s.t.Context(), &Input{Name: "srv", Client: client, System: sys, Version: "test", Secrets: redact.New()})
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

// token returns a JWT with claims.
func token(claims string) string {
	part := base64.RawURLEncoding.EncodeToString
	return "Bearer " + part([]byte(`{"alg":"none"}`)) + "." + part([]byte(claims)) + "." + part([]byte("signature"))
}

// protected is a server that rejects every request.
func protected(challenge string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/mcp" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(http.StatusUnauthorized)
	}
}

func fixed(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// secure configures a server with TLS at a host.
func (s *scene) secure(host string) {
	server := httptest.NewUnstartedServer(fixed(http.StatusOK, ""))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	s.t.Cleanup(server.Close)
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	s.entry(codeFile, map[string]any{"type": "http", "url": "https://" + net.JoinHostPort(host, port) + "/mcp"})
}

// planted are failures: how each is caused, in which client, and what the first line must name.
var planted = []struct {
	name   string
	client string
	plant  func(s *scene)
	want   string
}{
	{"program missing", "", func(s *scene) { s.entry(codeFile, map[string]any{"command": "no-such-program"}) },
		`the program "no-such-program" is not installed`},
	{"program only on the PATH of the shell", "", func(s *scene) {
		s.write("bin/uvx", "#!/bin/sh\n", 0o700)
		s.env["PATH"] = filepath.Join(s.home, "bin") + ":/usr/bin:/bin"
		s.entry(desktopFile, map[string]any{"command": "uvx"})
	}, `"uvx" is on the PATH of your shell, but not on the PATH of Claude Desktop`},
	{"wrong Node version", "", func(s *scene) {
		s.script("file:///srv/index.js:1\nError [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:sqlite\n"+
			"Node.js v18.20.4", 1)
	}, "requires a newer version of Node"},
	{"engine of the package", "", func(s *scene) {
		s.script("This server requires Node.js 22 or later. You are using v16.13.0.", 1)
	}, "requires another version of Node"},
	{"missing variable", "", func(s *scene) { s.server(codeFile, "variable") },
		"requires the environment variable SERVICE_TOKEN, which is not set"},
	{"variable only in the shell", "", func(s *scene) {
		s.env["SERVICE_TOKEN"] = "x"
		s.server(codeFile, "variable")
	}, "SERVICE_TOKEN, which is set in your shell; Claude Code passes only variables of the entry"},
	{"variable of the config", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"command": "cat", "env": map[string]string{"TOKEN": "${MY_TOKEN}"}})
	}, "the entry refers to the environment variable MY_TOKEN, which is not set"},
	{"log on stdout", "", func(s *scene) { s.server(geminiFile, "log") },
		"writes text to stdout that is not a message, so Gemini CLI closes the connection"},
	{"slow start", "", func(s *scene) {
		s.env["MCP_TIMEOUT"] = "1500"
		s.server(codeFile, "slow")
	}, "does not respond within 1.5s, the startup limit of Claude Code"},
	{"port taken", "", func(s *scene) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { _ = listener.Close() })
		s.server(codeFile, "port", listener.Addr().String())
	}, "is already in use by another process"},
	{"401 without a token", "", func(s *scene) { s.web(protected(`Bearer`), nil) },
		"requires a token, and the entry has none: HTTP 401"},
	{"expired token", "", func(s *scene) {
		s.web(protected(`Bearer error="invalid_token"`), map[string]string{"Authorization": token(`{"exp":1700000000}`)})
	}, "the token in the entry has expired on 2023-11-14"},
	{"wrong audience", "", func(s *scene) {
		s.web(protected(`Bearer error="invalid_token"`), map[string]string{
			"Authorization": token(`{"exp":4000000000,"aud":"https://other.example/mcp"}`)})
	}, "is for another audience"},
	{"opaque token rejected", "", func(s *scene) {
		s.web(protected(`Bearer error="invalid_token"`), map[string]string{"Authorization": "Bearer abcdefghijkl"})
	}, "does not accept the token in the entry"},
	{"metadata of another resource", "", func(s *scene) {
		var server *httptest.Server
		server = s.web(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource") {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"resource":"https://other.example/mcp","authorization_servers":["`+server.URL+`"]}`)
				return
			}
			protected(`Bearer`)(w, r)
		}, nil)
	}, "its OAuth metadata is invalid: "},
	{"TLS name", "", func(s *scene) { s.secure("localhost") },
		`the TLS certificate is not for the host name "localhost"`},
	{"TLS issuer", "", func(s *scene) { s.secure("127.0.0.1") }, "the TLS certificate is not trusted"},
	{"no TLS", "", func(s *scene) {
		server := httptest.NewServer(fixed(200, ""))
		s.t.Cleanup(server.Close)
		s.entry(codeFile, map[string]any{"type": "http",
			"url": strings.Replace(server.URL, "http:", "https:", 1) + "/mcp"})
	}, "does not use TLS on this port"},
	{"DNS", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"type": "http", "url": "https://mcp.nosuch.invalid/mcp"})
	}, `the host name "mcp.nosuch.invalid" cannot be resolved`},
	{"connection refused", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"type": "http", "url": "http://127.0.0.1:1/mcp"})
	}, "nothing listens on port 1 of 127.0.0.1"},
	{"wrong path", "", func(s *scene) { s.web(fixed(http.StatusNotFound, "no"), nil) },
		"there is no MCP endpoint at this URL: HTTP 404"},
	{"forbidden", "", func(s *scene) { s.web(fixed(http.StatusForbidden, "no"), nil) }, "HTTP 403"},
	{"server error", "", func(s *scene) { s.web(fixed(http.StatusBadGateway, "no"), nil) }, "HTTP 502"},
	{"tool that costs the client the server", "", func(s *scene) { s.server(codeFile, "null-annotation") },
		"Claude Code rejects all tools because of the tool bad: in annotations, destructiveHint is null"},
	{"schema that the client drops", "", func(s *scene) { s.server(codeFile, "root-anyof") },
		"Claude Code drops 1 of 2 tools: query: "},
	{"no capability", "", func(s *scene) { s.server(codeFile, "no-capability") },
		`does not declare the capability "tools"`},
	{"no tools", "", func(s *scene) { s.server(codeFile, "none") }, "the server has no tools"},
	{"list fails", "", func(s *scene) { s.server(codeFile, "list-error") }, "tools/list fails: error -32603: no database"},
	{"exit during the list", "", func(s *scene) { s.server(codeFile, "list-crash") }, "status 3 during tools/list"},
	{"handshake rejected", "", func(s *scene) { s.server(codeFile, "refuses") }, "license has expired"},
	{"Python module", "", func(s *scene) { s.script("ModuleNotFoundError: No module named 'fastmcp'", 1) },
		"the Python module fastmcp is not installed"},
	{"script missing", "", func(s *scene) { s.script("Error: Cannot find module '/srv/weather/build/index.js'", 1) },
		"the file /srv/weather/build/index.js does not exist"},
	{"npm package missing", "", func(s *scene) {
		s.script("npm error code E404\nnpm error 404 Not Found - GET https://registry.example/no-such-server - Not found", 1)
	}, "the npm package no-such-server does not exist"},
	{"Docker not running", "", func(s *scene) {
		s.script("docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is it running?", 125)
	}, "Docker is not running"},
	{"node not on the PATH of npx", "", func(s *scene) { s.script("env: node: No such file or directory", 127) },
		"the program node, which the command needs, is not on the PATH"},
	{"unknown exit", "", func(s *scene) { s.script("fatal: cannot continue", 7) },
		"exited with status 7 before the handshake: fatal: cannot continue"},
	{"arguments in the command", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"command": "npx -y some-server"})
	}, "the command contains arguments"},
	{"path with a tilde", "", func(s *scene) { s.entry(codeFile, map[string]any{"command": "~/bin/server"}) },
		"the path of the program is not expanded"},
	{"not executable", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"command": s.write("server.py", "#!/bin/sh\n", 0o600)})
	}, "is not executable"},
	{"interpreter missing", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"command": s.write("server.py", "#!/opt/no-such/python\n", 0o700)})
	}, `interpreter (#!) "/opt/no-such/python" not found`},
	{"working directory", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"command": "cat", "cwd": "/no/such/directory"})
	}, "/no/such/directory is not a directory"},
	{"syntax of the config", "", func(s *scene) { s.write(codeFile, `{"mcpServers": {"srv": {"command": }}}`, 0o600) },
		"the config file is invalid"},
	{"another client", "cursor", func(s *scene) { s.server(desktopFile, "good") },
		"it is not configured in Cursor, only in Claude Desktop"},
	{"unknown name", "", func(s *scene) { s.write(codeFile, `{"mcpServers": {"serv": {"command": "cat"}}}`, 0o600) },
		"no config file defines a server with this name"},
	{"URL without a type", "", func(s *scene) {
		s.entry(codeFile, map[string]any{"url": "http://127.0.0.1:1/mcp"})
	}, `the entry has a URL and no "type"`},
	{"disabled", "", func(s *scene) {
		s.entry(cursorFile, map[string]any{"command": "cat", "disabled": true})
	}, "the server is disabled in the config file"},
	{"Codex: program missing", "", func(s *scene) {
		s.write(codexFile, "[mcp_servers.srv]\ncommand = \"no-such-program\"\n", 0o600)
	}, `srv does not work in Codex: the program "no-such-program" is not installed`},
	{"Codex: syntax", "", func(s *scene) { s.write(codexFile, "[mcp_servers.srv]\ncommand = npx\n", 0o600) },
		"the config file is invalid: not TOML: expected a value"},
	{"Codex: disabled", "", func(s *scene) { s.codex("good", "enabled = false") }, "the server is disabled"},
	{"Codex: slow start", "", func(s *scene) { s.codex("slow", "startup_timeout_sec = 1.5") },
		"does not respond within 1.5s, the startup limit of Codex"},
	{"Codex: variable only in the shell", "", func(s *scene) {
		s.env["SERVICE_TOKEN"] = "x"
		s.codex("variable", "")
	}, "SERVICE_TOKEN, which is set in your shell; Codex passes only variables of the entry"},
	{"Codex: token not set", "", func(s *scene) {
		s.write(codexFile, "[mcp_servers.srv]\nurl = \"http://127.0.0.1:1\"\nbearer_token_env_var = \"MY_TOKEN\"\n", 0o600)
	}, "the entry refers to the environment variable MY_TOKEN, which is not set"},
	{"Codex: another client", "codex", func(s *scene) { s.server(geminiFile, "good") },
		"it is not configured in Codex, only in Gemini CLI"},
	{"Gemini CLI: slow start", "", func(s *scene) {
		s.entry(geminiFile, map[string]any{"command": "sleep", "args": []string{"9"}, "timeout": 1500})
	}, "does not respond within 1.5s, the startup limit of Gemini CLI"},
	{"Gemini CLI: secret of the shell", "", func(s *scene) {
		s.env["SERVICE_TOKEN"] = "x"
		s.server(geminiFile, "variable")
	}, "SERVICE_TOKEN, which is set in your shell; Gemini CLI does not pass secrets of the shell"},
	{"Gemini CLI: variable of the config", "", func(s *scene) {
		s.entry(geminiFile, map[string]any{"command": "cat", "env": map[string]string{"TOKEN": "$MY_TOKEN"}})
	}, "the entry refers to the environment variable MY_TOKEN, which is not set"},
	{"no MCP server", "cline", func(s *scene) { s.entry(codeFile, map[string]any{"command": "cat"}) },
		"echoed the initialize request"},
}

// The summary, which is the first line of the output, names the cause of every planted failure.
func TestPlantedFailures(t *testing.T) {
	if len(planted) < 24 {
		t.Fatalf("%d planted failures, want 24", len(planted))
	}
	for _, tt := range planted {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			tt.plant(s)
			d := s.why(tt.client)
			if d.Works || !strings.Contains(d.Summary, tt.want) || strings.Contains(d.Summary, "\n") {
				t.Errorf("summary %q\nwant %q\nevidence %q\nsteps %+v", d.Summary, tt.want, d.Evidence, d.Steps)
			}
			if d.Fix == "" {
				t.Errorf("%s: no fix", d.Summary)
			}
		})
	}
}

// A server that works is reported as working, also with a banner in a client that skips it.
func TestWorks(t *testing.T) {
	for _, tt := range []struct{ file, mode, client, want string }{
		{codeFile, "good", "", "srv works in Claude Code: all 1 tools arrive"},
		{desktopFile, "good", "", "srv works in Claude Desktop: 1 tools"},
		{codexFile, "banner", "", "srv works in Codex: all 1 tools arrive"},
		{codexFile, "null-annotation", "codex", "srv works in Codex: all 2 tools arrive"},
		{codexFile, "no-capability", "codex", "srv works in Codex: all 1 tools arrive"},
		{geminiFile, "good", "", "srv works in Gemini CLI: all 1 tools arrive"},
	} {
		t.Run(tt.mode+" "+tt.client, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			if tt.file == codexFile {
				s.codex(tt.mode, "")
			} else {
				s.server(tt.file, tt.mode)
			}
			if d := s.why(tt.client); !d.Works || d.Summary != tt.want {
				t.Errorf("summary %q, want %q; %+v", d.Summary, tt.want, d)
			}
		})
	}
}

// A project cannot redefine a server of the user, and secrets of the entry are not in the output.
func TestSafety(t *testing.T) {
	s := newScene(t)
	s.server(cursorFile, "good")
	s.entry(".mcp.json", map[string]any{"command": "touch", "args": []string{filepath.Join(s.home, "ran")}})
	if d := s.why(""); !strings.Contains(d.Summary, "ambiguous") {
		t.Errorf("summary %q", d.Summary)
	}
	if _, err := os.Stat(filepath.Join(s.home, "ran")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the server of the project was started")
	}
	s = newScene(t)
	file := s.write("server.sh", "#!/bin/sh\necho \"bad key $API_KEY\" >&2\nexit 1\n", 0o700)
	s.entry(codeFile, map[string]any{"command": file, "env": map[string]string{"API_KEY": "hunter2hunter2"}})
	d := s.why("")
	if text, _ := json.Marshal(d); strings.Contains(string(text), "hunter2hunter2") {
		t.Errorf("the diagnosis has the secret: %s", text)
	}
}

// The process of a desktop client has the environment of the desktop, and the one of the entry.
func TestDesktopEnvironment(t *testing.T) {
	s := newScene(t)
	s.env["SHELL_ONLY"], s.env["PATH"] = "x", s.home+":/usr/bin:/bin"
	file := s.write("server.sh",
		"#!/bin/sh\necho \"path=$PATH only=$SHELL_ONLY own=$OWN_NAME dir=$(pwd)\" >&2\nexit 9\n", 0o700)
	s.entry(desktopFile, map[string]any{"command": file, "env": map[string]string{"OWN_NAME": "1"}})
	d := s.why("")
	want := "path=" + desktopPaths["linux"] + " only= own=1 dir=" + s.home
	if !strings.Contains(strings.Join(d.Evidence, "\n"), want) {
		t.Errorf("evidence %q, want %q", d.Evidence, want)
	}
}

// Codex passes the variables that the entry names, and text unchanged. Gemini CLI passes all that look harmless.
func TestShellEnvironment(t *testing.T) {
	script := "#!/bin/sh\n" + // values of an entry are not shown, so only whether they are set
		"[ \"$TEXT\" = '${PLAIN}' ] && text=same\n[ \"$TEXT\" = yes ] && text=replaced\n" +
		"echo \"plain=${PLAIN:+set} hidden=${A_TOKEN:+set} named ${NAMED:+set} text=$text dir=$(pwd)\" >&2\nexit 9\n"
	for _, tt := range []struct{ client, want string }{
		{"codex", "plain= hidden= named set text=same"},
		{"gemini-cli", "plain=set hidden= named set text=replaced"},
	} {
		t.Run(tt.client, func(t *testing.T) {
			s := newScene(t)
			s.env["PLAIN"], s.env["A_TOKEN"], s.env["NAMED"] = "yes", "t-value", "n-value"
			file := s.write("server.sh", script, 0o700)
			s.write(codexFile, fmt.Sprintf("[mcp_servers.srv]\ncommand = %q\nenv_vars = [\"NAMED\", \"NONE\"]\n"+
				"env = {TEXT = \"${PLAIN}\"}\n", file), 0o600)
			s.entry(geminiFile, map[string]any{"command": file, "env": map[string]string{"TEXT": "$PLAIN"}})
			d := s.why(tt.client)
			if want := tt.want + " dir=" + s.home; !strings.Contains(strings.Join(d.Evidence, "\n"), want) {
				t.Errorf("evidence %q, want %q", d.Evidence, want)
			}
			noted := strings.Contains(strings.Join(d.Notes, "\n"), "TEXT contains ${PLAIN}")
			if noted != (tt.client == "codex") {
				t.Errorf("notes %q", d.Notes)
			}
		})
	}
}

func TestUnknownClient(t *testing.T) {
	_, err := Run(t.Context(), &Input{Name: "srv", Client: "nosuch"})
	if err == nil || !strings.Contains(err.Error(), "claude-desktop") {
		t.Errorf("got %v, want the list of clients", err)
	}
}

// An interrupted diagnosis ends at once.
func TestInterrupted(t *testing.T) {
	s := newScene(t)
	s.server(codeFile, "slow")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	sys := target.System{System: config.System{GOOS: "linux", Home: s.home, Dir: s.home,
		Lookup: func(string) (string, bool) { return "", false }}, Environ: []string{"PATH=/bin"}}
	start := time.Now()
	if _, err := Run(ctx, &Input{Name: "srv", System: sys, Secrets: redact.New()}); err == nil ||
		time.Since(start) > 8*time.Second {
		t.Errorf("ended after %s with %v", time.Since(start), err)
	}
}
