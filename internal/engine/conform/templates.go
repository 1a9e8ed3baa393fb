package conform

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// templateProblem returns why a text is not a URI template; empty if it is one.
func templateProblem(template string) string {
	rest := template
	for {
		before, after, found := strings.Cut(rest, "{")
		if strings.Contains(before, "}") {
			return "closing brace without an opening one"
		}
		if !found {
			return ""
		}
		inner, following, closed := strings.Cut(after, "}")
		if !closed || !expression().MatchString(inner) {
			return "invalid expression {" + clip.Text(inner, 40) + "}"
		}
		rest = following
	}
}

var braces = lazyregexp.New(`\{[^{}]*\}`)

var expression = lazyregexp.New(`^[+#./;?&]?[A-Za-z0-9_.%]+(:[1-9][0-9]{0,3}|\*)?(,[A-Za-z0-9_.%]+(:[1-9][0-9]{0,` +
	`3}|\*)?)*$`)
