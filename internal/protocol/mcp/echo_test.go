package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// A program that sends back what it reads is known for one, soon, and is sent no refusal that would come back as its
// own.
func TestOwnMessagesComeBack(t *testing.T) {
	for _, revision := range []string{Auto, spec.NewestLegacy, spec.NewestModern} {
		synctest.Test(t, func(t *testing.T) {
			start, log := time.Now(), wire.NewTranscript(nil)
			echo := func(_ context.Context, in io.Reader, out io.Writer) error {
				_,
					err := io.Copy(out, in)
				return err
			}
			_, err := Connect(context.Background(), wire.Target{Name: "cat", Serve: echo}, log,
				&Options{Protocol: revision})
			var came *EchoError
			var told *wire.Error
			if !errors.As(err, &came) || !errors.As(err, &told) ||
				!strings.Contains(told.Hint.String(), "docker run -t") {
				t.Errorf("%s: %v, want an EchoError", revision, err)
			}
			if took := time.Since(start); took > 3*echoGrace {
				t.Errorf("%s: took %v", revision, took)
			}
			for _, f := range log.Since(0) {
				if strings.Contains(string(f.Body), "-32601") {
					t.Errorf("%s: an echo was answered with %s", revision, f.Body)
				}
			}
		})
	}
}

// A question that has the id of our greeting by chance is none that came back, and hides none that does.
func TestQuestionBeforeTheEcho(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asking := func(_ context.Context, in io.Reader, out io.Writer) error {
			lines := bufio.NewReader(in)
			greeting, _ := lines.ReadString('\n')
			_, err := io.WriteString(out, `{"jsonrpc":"2.0","id":1,"method":"roots/list"}`+"\n"+greeting)
			_, _ = io.Copy(io.Discard, lines)
			return err
		}
		_, err := Connect(context.Background(), wire.Target{Name: "asks", Serve: asking}, nil,
			&Options{Protocol: spec.NewestLegacy})
		var came *EchoError
		if !errors.As(err, &came) {
			t.Errorf("%v, want an EchoError", err)
		}
	})
}

// A server that prints what it reads and answers as well can be talked to.
func TestOwnMessagesComeBackWithAnswers(t *testing.T) {
	for _, revision := range []string{spec.NewestLegacy, spec.NewestModern} {
		synctest.Test(t, func(t *testing.T) {
			server := wiretest.New(greeting(revision) + "on x\n\tresult {\"a\":1}\n")
			loud := func(ctx context.Context, in io.Reader, out io.Writer) error {
				return server.Serve(ctx, io.TeeReader(in, out), out)
			}
			s, err := Connect(context.Background(), wire.Target{Name: "loud", Serve: loud}, nil, &Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := result(t, s, "x", nil); s.Version != revision || got != `{"a":1}` {
				t.Errorf("speaks %s, answers %s; want %s", s.Version, got, revision)
			}
		})
	}
}
