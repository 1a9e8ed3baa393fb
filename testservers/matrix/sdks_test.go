package matrix

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// An sdk is one SDK in one version: the commands that start its client and its server.
type sdk struct {
	name           string
	client, server []string
	stateless      bool // supports 2026-07-28
}

// sdks are all SDKs of the matrix. The programs of the TypeScript SDKs run from a copy beside a link to their
// node_modules.
func sdks(t *testing.T) []sdk {
	t.Helper()
	var all []sdk
	for _, e := range environments {
		dir, err := e.dir()
		if err != nil {
			t.Fatal(err)
		}
		s := sdk{name: e.name, stateless: e.name != "py1" && e.name != "ts1"}
		switch e.kind {
		case pythonEnvironment:
			s.client = []string{python(dir), "-B", absolute(t, "python", e.name+"_client.py")}
			s.server = []string{python(dir), "-B", absolute(t, "python", e.name+"_server.py")}
		case nodeEnvironment:
			programs := nodePrograms(t, dir)
			s.client = []string{"node", filepath.Join(programs, e.name+"_client.mjs")}
			s.server = []string{"node", filepath.Join(programs, e.name+"_server.mjs")}
		}
		all = append(all, s)
	}
	return append(all, sdk{name: "go", client: []string{built.gosdk, "client"}, server: []string{built.gosdk, "server"},
		stateless: true})
}

func nodePrograms(t *testing.T, environment string) string {
	t.Helper()
	dir := t.TempDir()
	programs, err := filepath.Glob("node/*.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		if err := copyFile(program, filepath.Join(dir, filepath.Base(program))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(environment, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func absolute(t *testing.T, path ...string) string {
	t.Helper()
	p, err := filepath.Abs(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A client is the client of an SDK in one era.
type client struct {
	sdk
	era string
}

const (
	handshake = "handshake" // up to 2025-11-25
	stateless = "stateless" // from 2026-07-28 on, or what the server supports
)

func (c client) String() string { return c.name + "-" + c.era }

func clients(t *testing.T) []client {
	t.Helper()
	var all []client
	for _, s := range sdks(t) {
		all = append(all, client{s, handshake})
		if s.stateless {
			all = append(all, client{s, stateless})
		}
	}
	return all
}

// A server is the server of an SDK on one transport. It supports every era that its SDK supports.
type server struct {
	sdk
	transport string
	url       string // of a server on HTTP
}

const (
	stdio = "stdio"
	http  = "http"
)

func (s server) String() string { return s.name + "-" + s.transport }

// servers are those of all SDKs, each on both transports.
func servers(t *testing.T) []server {
	t.Helper()
	var all []server
	for _, s := range sdks(t) {
		all = append(all, server{s, stdio, ""}, server{s, http, ""})
	}
	return all
}

// started starts the servers on HTTP, all at once; they end with the test.
func started(t *testing.T, all []server) []server {
	t.Helper()
	urls := map[int]func() string{}
	for i, s := range all {
		if s.transport == http {
			urls[i] = listening(t, func(port int) []string {
				return slices.Concat(s.server, []string{"--http", strconv.Itoa(port)})
			})
		}
	}
	for i, url := range urls {
		all[i].url = url()
	}
	return all
}
