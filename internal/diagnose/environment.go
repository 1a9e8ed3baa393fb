package diagnose

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// geminiSecret matches the names of variables that Gemini CLI 0.61.0 does not pass on. It also keeps some by name.
var (
	geminiSecret = lazyregexp.New(`(?i)TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT`)
	geminiNever  = []string{"CLIENT_ID", "DB_URI", "CONNECTION_STRING", "AWS_DEFAULT_REGION", "AZURE_CLIENT_ID",
		"AZURE_TENANT_ID", "SLACK_WEBHOOK_URL", "TWILIO_ACCOUNT_SID", "DATABASE_URL", "GOOGLE_CLOUD_PROJECT",
		"GOOGLE_CLOUD_ACCOUNT", "FIREBASE_PROJECT_ID"}
)

// geminiPasses reports whether Gemini CLI passes a variable of the shell to servers: all but those that look like
// secrets.
func geminiPasses(name, value string) bool {
	upper := strings.ToUpper(name)
	return !geminiSecret().MatchString(upper) && !slices.Contains(geminiNever, upper) && redact.Text(value) == value
}

// inherit adds the variables of the shell that the client passes on.
func (w *walk) inherit() {
	passes := w.out.Client.passes
	if passes == nil || w.target.URL != "" {
		return
	}
	for _, pair := range w.sys.Environ {
		name, value, _ := strings.Cut(pair, "=")
		isSet := slices.ContainsFunc(w.target.Env, func(own string) bool { return strings.HasPrefix(own, name+"=") })
		if !isSet && passes(name, value) {
			w.target.Env = append(w.target.Env, pair)
		}
	}
}

var written = lazyregexp.New(`\$(?:\{[A-Za-z_][A-Za-z0-9_:-]*\}|[A-Z_][A-Z0-9_]*)`)

// unreplaced notes references in an entry of a client that passes them unchanged.
func (w *walk) unreplaced() {
	if !w.entry.Literal {
		return
	}
	note := func(where string, v config.Variable) {
		if reference := written().FindString(v.Value); reference != "" && v.Source == "" {
			w.out.Notes = append(w.out.Notes, where+" contains "+reference+", which Codex passes "+
				"unchanged; env_vars passes variables of the shell")
		}
	}
	for _, arg := range w.entry.Args {
		note("an argument", config.Variable{Value: arg})
	}
	for _, v := range append(slices.Clone(w.entry.Env), w.entry.Headers...) {
		note(v.Name, v)
	}
}
