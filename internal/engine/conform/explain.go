package conform

import (
	"fmt"
	"strings"
)

// Explain returns the documentation of the check with the ID, as Markdown. The pages in docs/rules/conform have the
// same text.
func Explain(id string) (string, bool) {
	c, ok := Find(id)
	if !ok {
		return "", false
	}
	_, body, _ := strings.Cut(c.Doc, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n", c.ID, strings.TrimSuffix(c.Title(), "."))
	fmt.Fprintf(&b, "Severity: %s.", c.Severity)
	switch {
	case c.Since != "" && c.Until != "":
		fmt.Fprintf(&b, " Revisions %s to %s.", c.Since, c.Until)
	case c.Since != "":
		fmt.Fprintf(&b, " From %s on.", c.Since)
	case c.Until != "":
		fmt.Fprintf(&b, " Up to %s.", c.Until)
	}
	if c.On != 0 {
		fmt.Fprintf(&b, " Over %s.", c.On)
	}
	if c.Needs != "" {
		fmt.Fprintf(&b, " For servers that declare %s.", c.Needs)
	}
	if c.Disruptive {
		b.WriteString(" Disruptive: requires `--allow-disruptive` for remote servers.")
	}
	switch c.Auth {
	case AuthSafe:
		b.WriteString(" With `--auth`: safe on a production server.")
	case AuthOwn:
		b.WriteString(" With `--auth-as`: uses a separate token and client.")
	case AuthLab:
		b.WriteString(" With `--auth-lab`: only for local or test servers.")
	}
	if c.Spec != "" {
		fmt.Fprintf(&b, "\nSource: <%s>", c.Spec)
	}
	fmt.Fprintf(&b, "\n\n%s\n", strings.TrimSpace(body))
	return b.String(), true
}
