package lint

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// Explain is the documentation of the rule with the id, as Markdown. The pages in docs/rules are the same text.
func Explain(id string) (string, bool) {
	r, ok := Find(id)
	if !ok {
		return "", false
	}
	_, body, _ := strings.Cut(r.Doc, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n", r.ID, strings.TrimSuffix(r.Title(), "."))
	fmt.Fprintf(&b, "Severity: %s.", r.Severity)
	if profile, ok := hosts.Find(r.Family()); ok {
		fmt.Fprintf(&b, " Breaks: %s. %s: %s, checked on %s.", breaks(r.Breaks), kind(profile), profile.Name,
			profile.Checked)
	}
	if r.Unproven {
		b.WriteString(" Not confirmed by a run or a source.")
	}
	if r.Spec != "" {
		fmt.Fprintf(&b, "\nSource: <%s>", r.Spec)
	}
	fmt.Fprintf(&b, "\n\n%s\n", strings.TrimSpace(body))
	return b.String(), true
}

// kind names a profile: of a host, or of an API of a provider.
func kind(p hosts.Profile) string {
	if p.API {
		return "API"
	}
	return "Host"
}

// breaks describes what is lost.
func breaks(what hosts.Breaks) string {
	switch what {
	case hosts.Session:
		return "the whole session, with every tool"
	case hosts.LosesTool:
		return "this tool"
	case hosts.Constraint:
		return "a constraint that the model does not see"
	case hosts.Cosmetic:
		return "nothing (cosmetic)"
	}
	return string(what)
}
