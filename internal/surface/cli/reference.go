package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Commands returns the tree of all commands, for generated documentation. Run runs them.
func Commands() *cobra.Command {
	a := &app{env: &Env{}, all: true, secrets: redact.New()}
	root := a.root()
	root.InitDefaultCompletionCmd("")
	a.refuseViewFlags(root)
	return root
}

// ArgumentsOf describes the arguments of a command, one per line: the name, a tab, the meaning.
func ArgumentsOf(cmd *cobra.Command) string { return cmd.Annotations[argumentsNote] }

// argumentsNote is the annotation for the meaning of a command's arguments.
const argumentsNote = "mcptest.dev/arguments"

// explained returns the annotation of a command with these fields.
func (fs fields) explained() map[string]string {
	var lines []string
	for _, f := range fs {
		switch f.Role {
		case "arg", "optional":
			lines = append(lines, strings.ToUpper(f.flag)+"\t"+f.Doc)
		case "rest":
			lines = append(lines, cmp.Or(f.Placeholder, strings.ToUpper(f.flag))+"\t"+f.Doc)
		}
	}
	return map[string]string{argumentsNote: strings.Join(lines, "\n")}
}

// indent indents examples.
func indent(lines string) string {
	if lines == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(lines, "\n", "\n  ")
}

// A Variable is an environment variable that mcptest itself reads.
type Variable struct{ Name, Doc string }

// Variables lists them. Variables that a config file, a header or a suite refers to are not included.
func Variables() []Variable {
	return []Variable{
		{"MCPTEST_RELEASES", "URL of a mirror of the releases, for `version --check`, the GitHub Action and the " +
			"pre-commit hooks"},
		{"NO_COLOR", "if not empty: no color, as with `--no-color`"},
		{"FORCE_HYPERLINK", "1: rule IDs are hyperlinks on any terminal; 0: on none (default: on terminals known to " +
			"support it)"},
		{"TERM_PROGRAM, VTE_VERSION, KITTY_WINDOW_ID, WT_SESSION, KONSOLE_VERSION",
			"identify the terminal, and so whether it supports hyperlinks"},
		{"LC_ALL, LC_CTYPE, LANG", "the locale: without UTF-8, the bars of `check` are ASCII characters"},
		{"TERM", "`dumb`: no color and no progress bar"},
		{"CI", "if set to anything but `false` or `0`: `run` does not update snapshots without `--allow-ci-update`"},
		{"GIT_AUTHOR_NAME, USER, USERNAME", "the user that `mcptest lock` records: the first of them that is set"},
		{"HOME", "home directory, where hosts store config files; `USERPROFILE` on Windows"},
		{"CODEX_HOME", "location of the config file of Codex (default `~/.codex`)"},
		{"XDG_CONFIG_HOME",
			"on Linux: location of the hosts' config files and of your approvals (default `~/.config`)"},
		{"XDG_STATE_HOME", "location of tokens and gateway catalogs (default `~/.local/state`)"},
		{"APPDATA", "on Windows: replaces `XDG_CONFIG_HOME`"},
		{"LocalAppData", "on Windows: replaces `XDG_STATE_HOME`"},
		{"PATH", "search path for server commands"},
		{"MCP_TIMEOUT", "the startup limit of Claude Code in milliseconds, which `mcptest why` uses"},
		{"TMPDIR", "directory for temporary files; `TMP` on Windows"},
		{"HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "HTTP proxies"},
		{"GOGC", "garbage collector target; `gateway` sets it to 400 if the variable is empty, which uses more " +
			"memory and less CPU time"},
		{"OTEL_*", "trace export of the gateway: see [the gateway](../gateway.md#traces)"},
	}
}
