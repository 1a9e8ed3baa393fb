package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Commands is the tree of all commands, for those who write about them. Run runs them.
func Commands() *cobra.Command {
	root := (&app{env: &Env{}, secrets: redact.New()}).root()
	root.InitDefaultCompletionCmd("")
	return root
}

// ArgumentsOf tells what the arguments of a command mean, one a line: the name, a tab, the meaning.
func ArgumentsOf(cmd *cobra.Command) string { return cmd.Annotations[argumentsNote] }

// argumentsNote is the annotation that a command keeps the meaning of its arguments in.
const argumentsNote = "mcptest.dev/arguments"

// explained is the annotation of a command with these fields.
func (fs fields) explained() map[string]string {
	var lines []string
	for _, f := range fs {
		switch f.role {
		case "arg", "optional":
			lines = append(lines, strings.ToUpper(f.name)+"\t"+f.doc)
		case "rest":
			lines = append(lines, cmp.Or(f.hint, strings.ToUpper(f.name))+"\t"+f.doc)
		}
	}
	return map[string]string{argumentsNote: strings.Join(lines, "\n")}
}

// indent sets examples off from the text around them.
func indent(lines string) string {
	if lines == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(lines, "\n", "\n  ")
}

// A Variable is a variable of the environment that mcptest itself reads.
type Variable struct{ Name, Doc string }

// Variables lists them. Those that a config file, a header or a suite names are the user's own and not among them.
func Variables() []Variable {
	return []Variable{
		{"MCPTEST_RELEASES", "URL of a mirror of the releases, for `version --check`, the GitHub Action and the pre-commit hooks"},
		{"NO_COLOR", "if not empty: no colours, as with `--no-color`"},
		{"TERM", "`dumb`: no colours and no bar"},
		{"CI", "set, and neither `false` nor `0`: `run` keeps no snapshots, unless `--allow-ci-update` is given"},
		{"HOME", "the home directory, where hosts keep config files; `USERPROFILE` on Windows"},
		{"XDG_CONFIG_HOME", "on Linux: where the config files of hosts are, and what you approved (default `~/.config`)"},
		{"XDG_STATE_HOME", "where tokens and the catalogs of gateways are kept (default `~/.local/state`)"},
		{"APPDATA", "on Windows: in place of `XDG_CONFIG_HOME`"},
		{"LocalAppData", "on Windows: in place of `XDG_STATE_HOME`"},
		{"PATH", "where the commands of servers are looked for"},
		{"TMPDIR", "where files are kept that end with the command; `TMP` on Windows"},
		{"HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "proxies for HTTP"},
		{"GOGC", "target of the garbage collector; `gateway` sets it to 400 if the variable is empty, which uses more memory and less processor time"},
		{"OTEL_*", "where the gateway sends traces: see [the gateway](../gateway.md#traces)"},
	}
}
