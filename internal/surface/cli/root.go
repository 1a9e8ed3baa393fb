package cli

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/ops"
	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Main runs mcptest and returns its exit status.
func Main(e *Env) (code int) {
	if status, is := hostrun.Helper(e.Args); is {
		return status
	}
	log.SetOutput(io.Discard) // net/http logs what servers do wrong; it is reported as an error or a note
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(e.Stderr, "mcptest: internal error: %v (please report this)\n%s", p, debug.Stack())
			code = exitBug
		}
	}()
	ctx, stop := interruptible()
	defer stop()
	return Run(ctx, e)
}

// sameInterrupt is how long after an interrupt another one counts as the same. A launcher such as npx forwards the
// signal that the terminal has already sent to every process.
const sameInterrupt = 500 * time.Millisecond

// interruptible returns a context that the first interrupt cancels. The second one ends the process, including
// everything that it started.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	// a closed output is a write error and must not kill the process
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	done := make(chan struct{})
	go func() {
		var first time.Time
		for {
			select {
			case <-signals:
				if first.IsZero() {
					first = time.Now()
					cancel(context.Canceled)
				} else if time.Since(first) > sameInterrupt {
					os.Exit(exitStopped)
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); close(done); cancel(nil) }
}

// Run runs one command line.
func Run(ctx context.Context, e *Env) int {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	a := &app{env: e, out: &output{w: e.Stdout, stop: stop}, secrets: redact.New()}
	root := a.root()
	root.SetArgs(e.Args)
	root.SetIn(e.Stdin)
	root.SetOut(a.out)
	root.SetErr(e.Stderr)
	strictCompletion(root)
	strictHelp(root)
	a.refuseViewFlags(root)
	cmd, err := root.ExecuteContextC(ctx)
	a.command = cmd
	return a.finish(err)
}

// An app is one run of the command line.
type app struct {
	env     *Env
	all     bool // create the flags of all commands, not only of those that the arguments name
	out     *output
	view    viewOptions
	secrets *redact.Secrets // the secrets that we were given
	status  int             // of the shown result: 0, or a failure
	started bool            // flags and arguments were valid
	command *cobra.Command  // the command that was run

	progress *progress

	talkOnce sync.Once
	talk     *dialog
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "mcptest",
		Short: "Test, debug and fuzz MCP servers",
		Long: "mcptest connects to any MCP server, shows every protocol message, and reports violations of the " +
			"specification.\n\n" +
			"TARGET is a URL, the name of a server in a local config file, or a built-in server:\n" +
			"demo, demo-guide, demo-flawed. To start a server as a subprocess, put its command last, after --: -- " +
			"npx -y some-server",
		Example: indent("mcptest check demo\nmcptest inspect -- mcptest demo\nmcptest tools call add --arg a=2 " +
			"--arg b=3 demo"),
		Version:       Version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("mcptest {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &workbench.UsageError{Message: flagProblem(err),
			Hint: hint.Text(refusedHint(err) + nearFlags(cmd, err) + "run: " + cmd.CommandPath() + " --help")}
	})
	for _, f := range viewFlags {
		f.add(root.PersistentFlags(), &a.view)
	}
	root.Flags().BoolP("version", "v", false, "print the version")
	for _, s := range workbench.Sections {
		root.AddGroup(&cobra.Group{ID: string(s), Title: string(s) + ":"})
	}
	a.commands(root)
	a.help(root)
	return root
}

// commands adds every command: those of the operations, and those that only the command line has.
func (a *app) commands(root *cobra.Command) {
	for _, op := range ops.All() {
		a.bind(root, op)
	}
	a.tapCommands(child(root, recordings.Tap.Name))
	root.AddCommand(a.demoCommands()...)
	root.AddCommand(a.serveCommand(), a.inspectCommand())
	root.AddCommand(a.transcriptCommand(), a.versionCommand())
}
