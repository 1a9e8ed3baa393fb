package conform

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var tool049 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-049",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `tool with readOnlyHint should not write files

Hosts run read-only tools without asking the user. Each call of the tool left a new file in the directory for temporary
files, or wrote the file that its result names. Nobody removes such files. Remove readOnlyHint, or return the content
instead of a file. Over HTTP it cannot be seen.`,
	},
	Since: spec.March2025,
	Needs: "tools",
	On:    OnPipe,
	Alone: true, // calls of other checks would change what it observes
	Run: func(ctx context.Context, p *CheckContext) error {
		tools, err := p.readOnlyTools(ctx)
		if err != nil {
			return err
		}
		all, err := p.openCalls(ctx)
		if err != nil {
			return err
		}
		for _, t := range tools {
			if err := p.writes(ctx, all.session, t, all.temporary); err != nil {
				return err
			}
		}
		return nil
	},
}

// withTemporary gives a server a directory for temporary files.
func withTemporary(t *wire.Target, dir string) {
	if dir == "" || t.URL != "" {
		return
	}
	if t.Env == nil {
		t.Env = wire.BaseEnv()
	}
	names := []string{"TMPDIR=", "TMP=", "TEMP="}
	t.Env = slices.DeleteFunc(slices.Clone(t.Env), func(pair string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(pair, name) })
	})
	for _, name := range names {
		t.Env = append(t.Env, name+dir)
	}
}

// temporaryDirectory creates a directory for temporary files of a server, which is removed with the round; empty if it
// cannot be created.
func (r *revisionRun) temporaryDirectory() string {
	dir, err := os.MkdirTemp("", "mcptest-")
	if err != nil {
		return ""
	}
	r.validator.mu.Lock()
	defer r.validator.mu.Unlock()
	r.temporary = append(r.temporary, dir)
	return dir
}

// removeTemporary removes these directories.
func (r *revisionRun) removeTemporary() {
	for _, dir := range r.temporary {
		_ = os.RemoveAll(dir) // nothing else can be done about what is left there
	}
}

// writes calls a tool twice and reports it if each call left a file.
func (p *CheckContext) writes(ctx context.Context, s *mcp.Session, t Tool, dir string) error {
	var file string
	var last *mcp.Exchange
	for range 2 {
		before, began := entriesOf(dir), time.Now()
		ex, err := p.observe(ctx, s, t.observer())
		if err != nil {
			return err
		}
		added := slices.DeleteFunc(entriesOf(dir), func(name string) bool { return slices.Contains(before, name) })
		switch {
		case len(added) > 0:
			file = "left a file in the directory for temporary files"
		default:
			if file = p.namedFile(textsOf(ex.Reply.Result), began); file == "" {
				return nil
			}
		}
		last = ex
	}
	p.once(Evidence{Subject: t.Name, Exchange: last, Led: true},
		"each call of this tool with readOnlyHint %s: expected no change", file)
	return nil
}

// entriesOf lists the names in a directory.
func entriesOf(dir string) []string {
	list, _ := os.ReadDir(dir) // a server may have removed it
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// filePaths matches paths of files in a text.
var filePaths = lazyregexp.New(`(?:[A-Za-z]:\\|/)?[\w.-]+(?:[/\\][\w.-]+)*\.\w{1,8}\b`)

// maxPaths is how many paths in a result are looked up.
const maxPaths = 5

// namedFile describes the file that a text names and that was written since a time; empty if there is none.
func (p *CheckContext) namedFile(text string, since time.Time) string {
	for _, path := range filePaths().FindAllString(text, maxPaths) {
		full := path
		if !filepath.IsAbs(path) {
			full = filepath.Join(p.Target.Dir, path)
		}
		if info, err := os.Lstat(full); err == nil && info.Mode().IsRegular() && !info.ModTime().Before(since.Add(-clockStep)) {
			return "wrote " + clip.Text(filepath.Base(path), 80)
		}
	}
	return ""
}

// clockStep is how much the clock of a file system may lag behind.
const clockStep = 10 * time.Millisecond
