package lint

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec021 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-021",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#icons"),
		Doc: `invalid icon

An icon needs a src that is an https or data URI; sizes is a list of strings such as 48x48 or any, and theme is light or
dark. Clients must reject other schemes, especially javascript: and file:.

Fix or remove the icon.`,
	},
	Check: func(p *Pass) {
		value, ok := p.Tool.Get("icons")
		if !ok || !p.Revision.Tool.Icons {
			return
		}
		icons, err := schema.Elements(value)
		if err != nil {
			p.Report("/icons", "icons is %s, expected an array", kindName(value))
			return
		}
		for i, icon := range icons {
			checkIcon(p, fmt.Sprintf("/icons/%d", i), icon)
		}
	},
}

func checkIcon(p *Pass, at string, icon json.RawMessage) {
	src, ok := schema.Text(get(icon, "/src"))
	scheme, _, _ := strings.Cut(strings.ToLower(src), ":")
	switch {
	case !ok:
		p.Report(at, "the icon has no src")
	case scheme != "https" && scheme != "http" && scheme != "data":
		p.Report(at+"/src", "src is %s, expected an https or data URI", quoted(src))
	}
	if sizes, ok := schema.Get(icon, "/sizes"); ok {
		list, err := schema.Elements(sizes)
		if err != nil || slices.ContainsFunc(list,
			func(size json.RawMessage) bool { return schema.Kind(size) != '"' }) {
			p.Report(at+"/sizes", "sizes is %s, expected a list of strings", brief(string(sizes)))
		}
	}
	if theme, ok := schema.Get(icon, "/theme"); ok && string(theme) != `"light"` && string(theme) != `"dark"` {
		p.Report(at+"/theme", "theme is %s, expected light or dark", brief(string(theme)))
	}
}
