package docs

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/testservers/matrix"
)

// sdks are the pages whose servers use an SDK: which one, and the folder that its reader installs it in.
var sdks = map[string]struct{ name, from, to string }{
	"docs/tutorials/python.md":     {"fastmcp", "", ".venv"},
	"docs/tutorials/typescript.md": {"ts1", "node_modules", "node_modules"},
}

// addSDK gives a page the SDK that its reader installs, and the real node.
func (p *place) addSDK(page string) {
	p.t.Helper()
	sdk, ok := sdks[filepath.ToSlash(page)]
	if !ok {
		return
	}
	dir, err := matrix.Environment(root, sdk.name)
	if err != nil {
		if os.Getenv("MCPTEST_REQUIRE_MATRIX") != "" {
			p.t.Fatal(err)
		}
		p.t.Skip("skipped: ", err)
	}
	if err := os.Symlink(filepath.Join(dir, sdk.from), filepath.Join(p.dir, sdk.to)); err != nil {
		p.t.Fatal(err)
	}
	standIn := filepath.Join(p.root, "bin", "node")
	if err := os.Remove(standIn); err != nil {
		p.t.Fatal(err)
	}
	if node, err := exec.LookPath("node"); err == nil {
		if err := os.Symlink(node, standIn); err != nil {
			p.t.Fatal(err)
		}
	}
}
