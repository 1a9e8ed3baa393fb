package driver

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A method is one of the methods of the protocol.
type method struct {
	name, doc      string
	params, result reflect.Type
	ordered        bool // the requests after it wait for its end
	run            func(d *driver, ctx context.Context, params json.RawMessage) (any, error)
}

// methods are the methods of the protocol.
func methods() []method {
	return []method{
		ordered(newMethod("hello", "Agree on the version of the protocol; the first request", (*driver).hello)),
		ordered(newMethod("start", "Start a server, or connect to one", (*driver).start)),
		newMethod("list", "List tools, resources, templates or prompts", (*driver).list),
		newMethod("call", "Call a tool and check the response", (*driver).callTool),
		newMethod("read", "Read a resource and check the response", (*driver).readResource),
		newMethod("prompt", "Get a prompt and check the response", (*driver).getPrompt),
		newMethod("request", "Send a request of any method and check the response", (*driver).request),
		newMethod("assert", "Check a response again, against more expectations", (*driver).assert),
		newMethod("conform", "Check a server for protocol conformance", (*driver).conform),
		newMethod("fuzz", "Fuzz a server", (*driver).fuzz),
		newMethod("frames", "Return the frames of a response, and what the server wrote to stderr meanwhile", (*driver).frames),
		ordered(newMethod("stop", "Stop a server, and wait for its exit", (*driver).stop)),
		ordered(newMethod("suite/open", "Open a suite file and list its tests; nothing is started", (*driver).openSuite)),
		newMethod("suite/run", "Run one test of an open suite", (*driver).runSuite),
		ordered(newMethod("suite/close", "Close a suite: stop its servers, run its teardown", (*driver).closeSuite)),
		ordered(newMethod("shutdown", "Wait for earlier requests, stop everything, and exit", (*driver).shutdown)),
	}
}

func newMethod[P, R any](name, doc string, run func(*driver, context.Context, *P) (R, error)) method {
	return method{name: name, doc: doc, params: reflect.TypeFor[P](), result: reflect.TypeFor[R](),
		run: func(d *driver, ctx context.Context, params json.RawMessage) (any, error) {
			in := new(P)
			if len(params) > 0 {
				if err := workbench.StrictJSON(params, in); err != nil {
					return nil, invalid("%v", rawjson.Problem(params, err))
				}
			}
			return run(d, ctx, in)
		}}
}

func ordered(m method) method {
	m.ordered = true
	return m
}
