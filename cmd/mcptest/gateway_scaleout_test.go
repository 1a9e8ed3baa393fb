package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

// startReplicas starts three gateways on one database.
func startReplicas(t *testing.T) []*gateway {
	t.Helper()
	first := startGateway(t, oneDemo, "--open", "--expose", "meta", "--store", postgres.Fresh(t))
	all := []*gateway{first, first.again(t), first.again(t)}
	for _, g := range all {
		g.answers(t, "catalog_list", `{"server":"demo","brief":true}`, `"invoke_as":"demo__echo"`)
	}
	return all
}

// answers waits until a meta-tool's answer has the text, or the JSON in its text, which is escaped there.
func (g *gateway) answers(t *testing.T, tool, arguments, want string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, body, err := g.call(t.Context(), "", tool, arguments)
		if err == nil && strings.Contains(strings.ReplaceAll(body, `\"`, `"`), want) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s(%s) = %s (%v), want %s\n%s", tool, arguments, body, err, want, g.log)
		}
	}
}

// A change is one that a client made to the shared catalog, and what it was told.
type change struct {
	client    int
	tool      string
	kind      string // register, update or remove
	seen      int    // the version that an update was made for
	version   int    // that came of it
	outcome   string // done, conflict or missing; unknown if there was no answer
	call, end int64
}

// make makes the change through a replica.
func (c *change) make(t *testing.T, g *gateway) {
	definition := fmt.Sprintf(`{"name":%q,"description":"by %d","run":{"upstream":{"server":"demo","tool":"echo"}}}`,
		c.tool, c.client)
	tool, arguments := c.kind+"_tool", `{"tool":`+definition+`}`
	switch c.kind {
	case "update":
		arguments = fmt.Sprintf(`{"tool":%s,"version":%d}`, definition, c.seen)
	case "remove":
		arguments = fmt.Sprintf(`{"name":%q}`, c.tool)
	}
	c.call = time.Now().UnixNano()
	status, body, err := g.call(t.Context(), "", tool, arguments)
	c.end = time.Now().UnixNano()
	var answer struct {
		Result struct {
			IsError           bool
			StructuredContent struct {
				Type string
				Tool struct{ Version int }
			}
		}
	}
	switch broken := json.Unmarshal([]byte(body), &answer); {
	case err != nil || broken != nil:
		c.outcome = "unknown"
	case !answer.Result.IsError && status == 200:
		c.outcome, c.version = "done", answer.Result.StructuredContent.Tool.Version
	case answer.Result.StructuredContent.Type == "ConflictError":
		c.outcome = "conflict"
	case answer.Result.StructuredContent.Type == "NotFoundError":
		c.outcome = "missing"
	default:
		t.Errorf("%s(%s) = %d %s", tool, arguments, status, body)
	}
}

// An entry is what the model knows of a tool. Versions go on after a removal.
type entry struct {
	version int
	there   bool
}

// catalogModel is a catalog of one tool, as simple as can be.
var catalogModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byTool := map[string][]porcupine.Operation{}
		for _, o := range history {
			name := o.Input.(change).tool
			byTool[name] = append(byTool[name], o)
		}
		var out [][]porcupine.Operation
		for _, of := range byTool {
			out = append(out, of)
		}
		return out
	},
	Init: func() any { return entry{} },
	Step: func(state, input, _ any) (bool, any) {
		e, c := state.(entry), input.(change)
		next := entry{e.version + 1, true}
		switch {
		case c.outcome == "missing":
			return !e.there && c.kind != "register", e
		case c.kind == "register" && c.outcome == "conflict":
			return e.there, e
		case c.kind == "register":
			return !e.there && c.version == next.version, next
		case c.kind == "update" && c.outcome == "conflict":
			return e.there && c.seen != e.version, e
		case c.kind == "update":
			return e.there && c.seen == e.version && c.version == next.version, next
		case c.outcome == "done":
			return e.there, entry{e.version, false}
		}
		return false, e // a removal has no conflicts
	},
}

// Clients that are spread over three replicas change the same tools at once: what they were told is explained by one
// order of all changes. A change is shown by every other replica within a second. When a replica is killed, nothing
// that was acknowledged is lost, and the others go on.
func TestScaleOut(t *testing.T) {
	replicas := startReplicas(t)
	t.Run("races are linearizable", func(t *testing.T) { raceReplicas(t, replicas) })
	t.Run("changes arrive within a second", func(t *testing.T) { changesArrive(t, replicas) })
	t.Run("nothing is lost by a kill", func(t *testing.T) { killReplica(t, replicas) })
}

func raceReplicas(t *testing.T, replicas []*gateway) {
	const clients, changes, tools = 9, 60, 5
	var mu sync.Mutex
	var history []porcupine.Operation
	told := map[string]int{}
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			random := rand.New(rand.NewSource(int64(client)))
			seen := map[string]int{}
			for range changes {
				c := change{client: client, tool: fmt.Sprint("race", random.Intn(tools)),
					kind: []string{"register", "update", "update", "remove"}[random.Intn(4)]}
				if c.seen = seen[c.tool]; c.seen == 0 && c.kind == "update" {
					c.seen = 1 + random.Intn(20) // a guess
				}
				c.make(t, replicas[random.Intn(len(replicas))])
				if seen[c.tool]++; c.version > 0 {
					seen[c.tool] = c.version
				}
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: client, Input: c, Call: c.call, Return: c.end})
				told[c.kind+" "+c.outcome]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d changes: %v", len(history), told)
	for _, outcome := range []string{"register done", "register conflict", "update done", "update conflict",
		"remove done", "remove missing"} {
		if told[outcome] < 3 {
			t.Errorf("%q happened %d times; that is no race", outcome, told[outcome])
		}
	}
	if result := porcupine.CheckOperationsTimeout(catalogModel, history, time.Minute); result != porcupine.Ok {
		t.Errorf("what the clients were told is explained by no order of their changes: %v", result)
	}
}

// changesArrive sees that the other replicas list what one was told within a second. A machine that is busy elsewhere
// may delay one of the changes, but not all of them.
func changesArrive(t *testing.T, replicas []*gateway) {
	const changes = 4
	late := 0
	for i := range changes {
		c := change{tool: fmt.Sprint("news", i), kind: "register"}
		if c.make(t, replicas[i%len(replicas)]); c.outcome != "done" {
			t.Fatalf("%+v", c)
		}
		for _, g := range replicas {
			g.answers(t, "catalog_list", `{"filter":"`+c.tool+`"}`, `"count":1`)
		}
		if took := time.Duration(time.Now().UnixNano() - c.end); took > time.Second {
			t.Logf("change %d was listed by all after %v", i, took)
			late++
		}
	}
	if late == changes {
		t.Errorf("all of %d changes took more than a second to be listed by all replicas", changes)
	}
}

// killReplica kills a replica while clients register tools through all of them.
func killReplica(t *testing.T, replicas []*gateway) {
	var mu sync.Mutex
	acknowledged := map[string]int{}
	registered := make(chan bool)
	var wg sync.WaitGroup
	for client := range 6 {
		wg.Go(func() {
			for i := range 40 {
				c := change{client: client, tool: fmt.Sprintf("kept%d-%d", client, i), kind: "register"}
				c.make(t, replicas[(client+i)%len(replicas)])
				mu.Lock()
				if acknowledged[c.tool] = c.version; c.outcome != "done" {
					delete(acknowledged, c.tool)
				}
				mu.Unlock()
				registered <- c.outcome == "done"
			}
		})
	}
	for range 60 {
		<-registered
	}
	_ = replicas[1].cmd.Process.Kill()
	go func() {
		for range registered { // lets them go on
		}
	}()
	wg.Wait()
	close(registered)
	survivors := []*gateway{replicas[0], replicas[2], replicas[0].again(t)} // one that starts now must know all too
	if len(acknowledged) < 120 || len(acknowledged) == 240 {
		t.Errorf("%d of 240 registrations were acknowledged; want most, and some lost by the kill", len(acknowledged))
	}
	for i, g := range survivors {
		g.answers(t, "catalog_list", `{"filter":"kept","brief":true}`, `"count":`)
		for tool := range acknowledged {
			g.answers(t, "describe_tool", fmt.Sprintf(`{"name":%q}`, tool), `"version":1`)
		}
		g.answers(t, "invoke_tool", `{"name":"demo__echo","arguments":{"message":"still here"}}`, "still here")
		t.Logf("replica %d has all %d", i, len(acknowledged))
	}
}
