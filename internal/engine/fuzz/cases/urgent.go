package cases

import "strings"

// maxUrgent is the number of attacks that come before most other cases of a tool.
const maxUrgent = 3

// urgent splits changes into the attacks that find the worst defects, one for each kind of text, and all others. A short run has no
// time for every attack on every argument: a URL gets the URL of a file, a path a way out of its directory, and another text
// an apostrophe. A tool that may change data is first called with plain values.
func (g *Generator) urgent(singles []edit) (urgent, others []edit) {
	if g.care.Writes {
		return nil, singles
	}
	chosen := map[string]bool{}
	for _, e := range singles {
		attack := e.mostUrgent()
		if attack == "" || chosen[attack] || len(urgent) >= maxUrgent {
			others = append(others, e)
			continue
		}
		chosen[attack] = true
		urgent = append(urgent, e)
	}
	return urgent, others
}

// mostUrgent is the kind of an attack that finds the worst defects in its text; empty for any other change.
func (e edit) mostUrgent() string {
	if e.at == nil || e.kind != AgentMistake || !e.at.isFree() || e.at.rules.Has("format") && !e.at.takesURL() {
		return ""
	}
	value := string(e.value)
	switch {
	case e.at.takesURL():
		if value == `"file:///etc/passwd"` {
			return "url"
		}
	case isPath().MatchString(e.at.path):
		if strings.HasPrefix(value, `"../../`) && strings.HasSuffix(value, `/etc/passwd"`) && !strings.Contains(value, "%") {
			return "path"
		}
	case strings.HasPrefix(value, `"zq' OR `):
		return "text"
	}
	return ""
}
