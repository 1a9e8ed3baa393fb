// Package scenarios has the scenarios of test runners as Go tests. Most of them fail.
package scenarios

import (
	"os"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest"
)

func server(t *testing.T) *mcptest.Session {
	t.Helper()
	return mcptest.Start(t, mcptest.Server{Command: []string{os.Getenv("SCENARIO_SERVER")}, Protocol: "2025-06-18",
		Env: map[string]string{"SLOW": map[string]string{"Test_slow_start": "300ms"}[t.Name()]}})
}

var sum = mcptest.M{"a": 1, "b": 2}

func expect(key string, value any) mcptest.Option { return mcptest.Expect(mcptest.M{key: value}) }

func Test_pass(t *testing.T) { server(t).Call("add", sum, expect("exact", "3")) }

func Test_wrong_value(t *testing.T) {
	server(t).Call("add", sum, expect("exact", mcptest.M{"sum": 4, "exact": false}))
}

func Test_wrong_text(t *testing.T) { server(t).Call("lines", nil, expect("exact", "one\n2\nthree")) }

func Test_wrong_shape(t *testing.T) {
	server(t).Call("add", sum, expect("schema", mcptest.M{"required": []string{"total"}}))
}

func Test_is_error(t *testing.T) { server(t).Call("fail", nil) }

func Test_dies(t *testing.T) { server(t).Call("die", nil) }

func Test_hangs(t *testing.T) { server(t).Call("hang", nil, mcptest.Timeout(300*time.Millisecond)) }

func Test_noise(t *testing.T) {
	server(t).Call("noise", nil, mcptest.Expect([]mcptest.M{{"target": "stdout_noise", "exact": ""}}))
}

func Test_output_schema(t *testing.T) { server(t).Call("shape", nil) }

func Test_unknown_tool(t *testing.T) { server(t).Call("nothing", nil) }

func Test_slow_start(t *testing.T) { server(t).Call("add", sum, expect("contains", "3")) }

func Test_xfail(t *testing.T) {
	server(t).Call("add", sum, expect("exact", "4"), mcptest.XFail("issue 12"))
}

func Test_xpass(t *testing.T) {
	server(t).Call("add", sum, expect("exact", "3"), mcptest.XFail("issue 12"))
}

func Test_soft(t *testing.T) {
	s := server(t).Soft()
	s.Call("add", sum, expect("exact", "4"))
	s.Call("add", mcptest.M{"a": 2, "b": 2}, expect("exact", "5"))
}
