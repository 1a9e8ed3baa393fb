package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/files"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// tapInstallCommands put tap into the config of a client, and remove it.
func (a *app) tapInstallCommands() []*cobra.Command {
	return []*cobra.Command{
		a.tapConfigCommand("install", "Record a server of a client: change its entry in the client's config",
			"The client then starts \"mcptest tap -- COMMAND\" instead of the command. Everything else in the file "+
				"stays\n"+
				"unchanged. \"mcptest tap remove\" restores the entry byte for byte. The entry must be in the user's config "+
				"file of\nthe client, not in a file of a project or in the part of ~/.claude.json for one project.",
			a.tapInstall),
		a.tapConfigCommand("remove", "Restore the entry of a server in the client's config",
			"Restores the entry that \"mcptest tap install\" changed byte for byte. Other changes of the file are "+
				"kept; an entry\n"+
				"that has changed since is not touched.", a.tapRemove),
	}
}

func (a *app) tapConfigCommand(name, short, long string,
	run func(ctx context.Context, client, name string, yes bool) error) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: name + " CLIENT NAME", Short: short, Long: short + ".\n\n" + long,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &workbench.UsageError{Message: "expected CLIENT and NAME",
					Hint: hint.Text("run: " + cmd.CommandPath() + " --help")}
			}
			return nil
		},
		Example: indent("mcptest tap " + name + " claude-desktop files --yes"),
		Annotations: map[string]string{argumentsNote: "CLIENT\t" + strings.Join(config.InstallHosts(), ", ") + "\n" +
			"NAME\tname of the server in the client's config"},
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args[0], args[1], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "skip confirmation")
	return using(cmd, 0)
}

func (a *app) tapInstall(ctx context.Context, client, name string, yes bool) error {
	front := config.Command{Program: a.self(), Args: []string{"tap", "--name", name, "--"}}
	change, wrapping, err := config.Wrap(a.env.System.System, client, name, front)
	if err != nil {
		return &workbench.UsageError{Message: err.Error(), Hint: "only servers in the user's config file of a client can " +
			"be changed; run: {mcptest servers}\nfor a server of a project, put \"mcptest tap --\" before its command " +
			"in the file of the project"}
	}
	if len(wrapping.Edits) == 0 {
		fmt.Fprintf(a.out, "%s already records %s\n", change.File, name)
		return nil
	}
	if agreed, err := a.agreed(ctx, change, yes); err != nil || !agreed {
		return err
	}
	// What restores the entry is written first: an entry that was changed can always be restored.
	if err := a.saveWrapping(wrapping); err != nil {
		return &workbench.UsageError{Message: "cannot write the state directory: " + err.Error()}
	}
	if err := change.Write(); err != nil {
		return &workbench.UsageError{Message: err.Error()}
	}
	fmt.Fprintf(a.out, "Updated. Restart %s to record %s; \"mcptest tap remove %s %s\" restores the file.\n",
		client, name, client, name)
	return nil
}

func (a *app) tapRemove(ctx context.Context, client, name string, yes bool) error {
	state := a.wrappingFile(client, name)
	text, err := os.ReadFile(state)
	if err != nil {
		return &workbench.UsageError{Message: fmt.Sprintf("%s of %s was not changed by mcptest tap install", name,
			client)}
	}
	var wrapping config.Wrapping
	if err := json.Unmarshal(text, &wrapping); err != nil {
		return fmt.Errorf("%s is damaged: %w", state, rawjson.Problem(text, err))
	}
	change, err := config.Unwrap(a.env.System.System, &wrapping)
	if err != nil {
		return &workbench.UsageError{Message: err.Error(),
			Hint: "restore the entry by hand: remove the mcptest command before the command of the server"}
	}
	if !bytes.Equal(change.Before, change.After) {
		if agreed, err := a.agreed(ctx, change, yes); err != nil || !agreed {
			return err
		}
		if err := change.Write(); err != nil {
			return &workbench.UsageError{Message: err.Error()}
		}
	}
	_ = os.Remove(state)
	fmt.Fprintf(a.out, "Restored. Restart %s.\n", client)
	return nil
}

// agreed shows a change and asks whether to write it.
func (a *app) agreed(ctx context.Context, change *config.Change, yes bool) (bool, error) {
	showChange(a.out, change)
	return (&serving{app: a, yes: yes}).agreed(ctx, "Write this change?")
}

// wrappingFile returns the file that stores how an entry was changed.
func (a *app) wrappingFile(client, name string) string {
	sum := sha256.Sum256([]byte(client + "\x00" + name))
	return filepath.Join(workbench.StateDir(a.env.System), "tap-installed", hex.EncodeToString(sum[:8])+".json")
}

func (a *app) saveWrapping(w *config.Wrapping) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	file := a.wrappingFile(w.Host, w.Name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return files.Replace(file, text, 0o600)
}
