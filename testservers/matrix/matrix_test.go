package matrix

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMatrix runs every client against every server, directly, through one gateway on HTTP, and through gateways that
// the clients start. part_test.go has the part that every change runs. The direct cells run beside those of the
// gateways.
func TestMatrix(t *testing.T) {
	t.Parallel()
	all, store := started(t, servers(t)), filepath.Join(t.TempDir(), "catalog.db")
	t.Run("cells", func(t *testing.T) {
		t.Run("gateway", func(t *testing.T) {
			t.Parallel()
			t.Run(throughHTTP, func(t *testing.T) { testGateway(t, all, store) })
			t.Run(throughStdio, func(t *testing.T) {
				eachCell(t, all, throughStdio, func(t *testing.T, c client, s server) {
					results := runClient(t, c, job{Command: gatewayOnStdio(t, s, store), Servers: []string{s.String()}})
					cell{c.String(), s.String(), throughStdio, ""}.check(t, s.String(), revisionOf(c, true), results)
				})
			})
		})
		t.Run(direct, func(t *testing.T) {
			t.Parallel()
			eachCell(t, all, direct, func(t *testing.T, c client, s server) {
				cell{c.String(), s.String(), direct, ""}.check(t, "", revisionOf(c, s.stateless),
					runClient(t, c, directJob(s)))
			})
		})
	})
	t.Run("gaps", testGaps)
}

// testGateway runs the clients one after the other, because a server that asks over stdio does not say which request it
// asks for. The gateway leaves its catalog in the store.
func testGateway(t *testing.T, all []server, store string) {
	url := serveGateway(t, writeConfig(t, all), store)
	revisions := awaitTools(t, url, all)
	for i, c := range clients(t) {
		t.Run(c.String(), func(t *testing.T) {
			var cells []cell
			j := job{URL: url}
			for k, s := range all {
				if !full() && !inPart(i, k, throughHTTP) {
					continue
				}
				one := cell{c.String(), s.String(), throughHTTP, revisions[s.String()]}
				cells = append(cells, one)
				j.Servers = append(j.Servers, one.server)
				j.Skip = append(j.Skip, one.skipped()...)
			}
			results := runClient(t, c, j)
			for _, one := range cells {
				one.check(t, one.server, revisionOf(c, true), results)
			}
		})
	}
}

// eachCell runs the cells of a route beside each other.
func eachCell(t *testing.T, all []server, route string, test func(*testing.T, client, server)) {
	for i, c := range clients(t) {
		for k, s := range all {
			if !full() && !inPart(i, k, route) {
				continue
			}
			t.Run(c.String()+"/"+s.String(), func(t *testing.T) {
				t.Parallel()
				test(t, c, s)
			})
		}
	}
}

func directJob(s server) job {
	if s.transport == http {
		return job{URL: s.url, Servers: []string{""}}
	}
	return job{Command: s.server, Servers: []string{""}}
}

// gatewayOnStdio is the command of a gateway that knows the tools of its server from an earlier run: without, a list
// does not contain the tools of a server that takes more than five seconds to start.
func gatewayOnStdio(t *testing.T, s server, store string) []string {
	t.Helper()
	own := filepath.Join(t.TempDir(), "catalog.db")
	if err := copyFile(store, own); err != nil {
		t.Fatal(err)
	}
	return []string{built.mcptest, "gateway", "--config", writeConfig(t, []server{s}), "--store", own}
}

// testGaps checks that the table of gaps has no entry that no cell has.
func testGaps(t *testing.T) {
	for i, g := range gaps {
		if strings.TrimSpace(g.reason) == "" {
			t.Errorf("gap %+v: no reason", g)
		}
		if _, used := gapsUsed.Load(i); full() && !used {
			t.Errorf("gap %+v: no cell has it", g)
		}
	}
}

// TestSlowStarter has a server that takes longer to start than a gateway makes a list wait: the first call waits for
// it.
func TestSlowStarter(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(sdks(t), func(s sdk) bool { return s.name == "go" })
	fast := server{sdks(t)[i], stdio, ""}
	slow := fast
	slow.server = append(slices.Clone(fast.server), "--delay", "8s")
	store := filepath.Join(t.TempDir(), "catalog.db")
	t.Run("store", func(t *testing.T) {
		awaitTools(t, serveGateway(t, writeConfig(t, []server{fast}), store), []server{fast})
	})
	for _, c := range clients(t) {
		if !full() && !slices.Contains([]string{"py1-handshake", "ts2-stateless", "go-stateless"}, c.String()) {
			continue
		}
		t.Run(direct+"/"+c.String(), func(t *testing.T) {
			t.Parallel()
			cell{c.String(), "slow", direct, ""}.check(t, "", revisionOf(c, true), runClient(t, c, directJob(slow)))
		})
		t.Run(throughStdio+"/"+c.String(), func(t *testing.T) {
			t.Parallel()
			results := runClient(t, c, job{Command: gatewayOnStdio(t, slow, store), Servers: []string{slow.String()}})
			cell{c.String(), "slow", throughStdio, ""}.check(t, slow.String(), revisionOf(c, true), results)
		})
	}
}
