package store_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// replicaFile names the store that a child process of this test works on.
const replicaFile = "MCPTEST_TEST_REPLICA"

// operations is how many each of the eight clients makes.
var operations = map[bool]int{false: 1250, true: 200}[raced]

// An operation is what a client of a replica did, and what it was told. Times are those of one machine.
type operation struct {
	Client    int
	Key       string
	Kind      string // get, put, remove
	Seen      int
	Version   int  // what came back; 0: nothing is there
	OK        bool // for put and remove: it was done
	Call, End int64
}

// Two processes, four clients each, read and change the same few keys. Whatever they were told must be explained by one
// order of all operations on a key.
func TestE10TwoProcessesAreLinearizable(t *testing.T) {
	for _, e := range stores {
		t.Run(e.name, func(t *testing.T) {
			address := e.fresh(t)
			var mu sync.Mutex
			var all []operation
			var wg sync.WaitGroup
			for i := range 2 {
				wg.Go(func() {
					did, err := runReplica(address, i)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					all = append(all, did...)
					mu.Unlock()
				})
			}
			wg.Wait()
			judge(t, all)
		})
	}
}

func judge(t *testing.T, all []operation) {
	t.Helper()
	var history []porcupine.Operation
	done := 0
	var took []int64
	for _, o := range all {
		history = append(history, porcupine.Operation{ClientId: o.Client, Input: o, Call: o.Call, Output: o,
			Return: o.End})
		took = append(took, o.End-o.Call)
		if o.OK && o.Kind != "get" {
			done++
		}
	}
	slices.Sort(took)
	slowest := took[len(took)-1-len(took)/500] // a few may have waited for the machine; a lock stalls many
	t.Logf("%d operations, %d changes made, slowest %v", len(all), done, time.Duration(slowest))
	if done < 100 || done == len(all) {
		t.Errorf("%d of %d operations changed something; want some hundred, and some that lost", done, len(all))
	}
	if slowest > int64(time.Second) && !raced {
		t.Errorf("an operation took %v; want none to be stalled by a lock for a second", time.Duration(slowest))
	}
	if result := porcupine.CheckOperationsTimeout(versionModel, history, 30*time.Second); result != porcupine.Ok {
		t.Errorf("the history is not linearizable: %v", result)
	}
}

// A cell is what the model knows of a key.
type cell struct {
	version int
	there   bool
}

// versionModel is a store of versions, as simple as can be.
var versionModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[string][]porcupine.Operation{}
		for _, o := range history {
			key := o.Input.(operation).Key
			byKey[key] = append(byKey[key], o)
		}
		var out [][]porcupine.Operation
		for _, of := range byKey {
			out = append(out, of)
		}
		return out
	},
	Init: func() any { return cell{} },
	Step: func(state, input, output any) (bool, any) {
		c, o := state.(cell), output.(operation)
		actual := 0
		if c.there {
			actual = c.version
		}
		fits := o.Seen == actual
		switch {
		case o.Kind == "get":
			return o.Version == actual, c
		case !o.OK:
			return !fits && o.Version == actual, c
		case o.Kind == "remove":
			return fits && c.there, cell{version: c.version}
		}
		return fits && o.Version == c.version+1, cell{version: c.version + 1, there: true}
	},
}

func runReplica(address string, n int) ([]operation, error) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", replicaFile, n, address))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := child.Start(); err != nil {
		return nil, err
	}
	var did []operation
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var o operation
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return nil, errors.Join(err, child.Process.Kill(), child.Wait())
		}
		did = append(did, o)
	}
	return did, child.Wait()
}

// replicate is the child: four clients that work on the store at once and then tell what happened.
func replicate(value string) error {
	n, address, _ := strings.Cut(value, " ")
	s, err := store.Open(context.Background(), address)
	if err != nil {
		return err
	}
	defer s.Close()
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	out := json.NewEncoder(os.Stdout)
	for i := range 4 {
		wg.Go(func() {
			client := i
			if n == "1" {
				client += 4
			}
			random := rand.New(rand.NewSource(int64(client)))
			seen := map[string]int{}
			for range operations {
				o, err := operate(s, random, client, seen)
				mu.Lock()
				failed = errors.Join(failed, err, out.Encode(o))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

// operate does something to some key, and remembers the version it was told.
func operate(s store.Store, random *rand.Rand, client int, seen map[string]int) (operation, error) {
	key := store.Key{Server: "s", Name: fmt.Sprint(random.Intn(12))}
	o := operation{Client: client, Key: key.Name, Kind: []string{"get", "put", "put", "remove"}[random.Intn(4)],
		Seen: seen[key.Name]}
	ctx := context.Background()
	var r store.Record
	var err error
	o.Call = time.Now().UnixNano()
	if o.Kind == "remove" && o.Seen == 0 {
		o.Kind = "get"
	}
	switch o.Kind {
	case "get":
		r, err = s.Get(ctx, key)
	default:
		change := store.Change{Key: key, Seen: o.Seen}
		if o.Kind == "put" {
			change.Body = []byte("{}")
		}
		var records []store.Record
		if records, err = s.Commit(ctx, change); err == nil {
			r = records[0]
		}
	}
	o.End = time.Now().UnixNano()
	var conflict *store.ConflictError
	var missing *store.NotFoundError
	switch {
	case err == nil:
		o.OK, o.Version = true, r.Version
	case errors.As(err, &conflict):
		o.Version = conflict.Actual
	case !errors.As(err, &missing):
		return o, err
	}
	seen[key.Name] = o.Version
	if o.OK && o.Kind == "remove" {
		seen[key.Name] = 0
	}
	return o, nil
}
