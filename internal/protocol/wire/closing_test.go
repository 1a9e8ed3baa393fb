package wire

import (
	"strings"
	"testing"
)

func TestClosing(t *testing.T) {
	const panicked = "ready\npanic: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:3\n"
	for _, c := range []struct{ stderr, want string }{
		{"a\nb\nc\n", "b|c"},
		{"a\n", "a"},
		{panicked, "panic: index out of range|"},
		{"fatal error: all goroutines are asleep\nx\ny\n", "fatal error: all goroutines are asleep|x"},
		{"not a panic: at all\nb\nc\n", "b|c"},
	} {
		if got := strings.Join(Closing(c.stderr, 2), "|"); got != c.want {
			t.Errorf("Closing(%q, 2) = %q, want %q", c.stderr, got, c.want)
		}
	}
}
