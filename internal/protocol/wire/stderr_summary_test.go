package wire

import (
	"strings"
	"testing"
)

func TestClosing(t *testing.T) {
	const panicked = "ready\npanic: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:3\n"
	const frames = "    at a (a.js:1:1)\n    at b (b.js:2:2)\n    at c (c.js:3:3)\n"
	for _, c := range []struct{ stderr, want string }{
		{"a\nb\nc\n", "b|c"},
		{"a\n", "a"},
		{panicked, "panic: index out of range|"},
		{"fatal error: all goroutines are asleep\nx\ny\n", "fatal error: all goroutines are asleep|x"},
		{"not a panic: at all\nb\nc\n", "b|c"},
		{"ready\nTypeError: x is undefined\n" + frames, "TypeError: x is undefined|    at a (a.js:1:1)"},
		{"loader:1\n  throw err;\n\nError [ERR_MODULE_NOT_FOUND]: no package\nRequire stack:\n- s.js\n" + frames,
			"Error [ERR_MODULE_NOT_FOUND]: no package|Require stack:"},
		{"Exception in thread \"main\" java.io.IOException: no\n\tat A.b(A.java:1)\n\tat A.c(A.java:2)\n",
			"Exception in thread \"main\" java.io.IOException: no|\tat A.b(A.java:1)"},
		{"Error: of before\n" + frames + "port is taken\nbye\n", "port is taken|bye"},
		{"Error: of before\na\nb\nc\nd\ne\nf\n" + frames, "    at b (b.js:2:2)|    at c (c.js:3:3)"},
	} {
		if got := strings.Join(StderrSummary(c.stderr, 2), "|"); got != c.want {
			t.Errorf("Closing(%q, 2) = %q, want %q", c.stderr, got, c.want)
		}
	}
}
