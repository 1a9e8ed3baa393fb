package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/shell"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// swapped explains arguments in the wrong order: the last one is no server, but the one before it is.
func (a *app) swapped(cmd *cobra.Command, fs fields, err error) error {
	var wrong *target.Error
	before, targets := fs.with("arg"), fs.with("target")
	if !errors.As(err, &wrong) || len(before) != 1 || len(targets) == 0 {
		return err
	}
	first, last := before[0].value.String(), targets[0].value.String()
	if last == "" || !a.isServer(cmd, first) || a.isServer(cmd, last) || before[0].Name == "uri" && isURL(first) {
		return err // the URI of a resource may look like the URL of a server
	}
	return &workbench.UsageError{Message: fmt.Sprintf("unknown server %q: the arguments are swapped, %q is the server", last,
		first), Hint: hint.Text("the server is the last argument; run: " + a.scrub(a.exchanged(first, last)))}
}

// isServer reports whether an argument is a known name or the URL of a server.
func (a *app) isServer(cmd *cobra.Command, word string) bool {
	return isURL(word) || slices.Contains(a.targets(cmd), word)
}

func isURL(word string) bool {
	return strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://")
}

// exchanged returns the command line with two of its words exchanged.
func (a *app) exchanged(first, last string) string {
	words := append([]string{"mcptest"}, a.env.Args...)
	n := lastIndex(words, last)
	m := lastIndex(words[:n], first)
	words[n], words[m] = words[m], words[n]
	return shell.Join(words)
}

func lastIndex(words []string, word string) int {
	for i := len(words) - 1; i >= 0; i-- {
		if words[i] == word {
			return i
		}
	}
	return -1
}
