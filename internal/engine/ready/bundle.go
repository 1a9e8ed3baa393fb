package ready

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// manifestVersions are the versions of the manifest that hosts accept.
var manifestVersions = []string{"0.1", "0.2", "0.3", "0.4"}

var (
	semantic    = lazyregexp.New(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	placeholder = lazyregexp.New(`\$\{([^}]*)\}`)
)

// hostPlaceholders are replaced by every host.
var hostPlaceholders = []string{"__dirname", "HOME", "DESKTOP", "DOCUMENTS", "DOWNLOADS", "pathSeparator", "/"}

// bundle checks manifest.json and the files beside it.
func (r *run) bundle() (skipped string, err error) {
	in, err := r.read(manifestFile)
	if in == nil || err != nil {
		return "there is no " + manifestFile, err
	}
	version := in.text("/manifest_version")
	if version == "" {
		version = in.text("/dxt_version") // its former name
	}
	if schema.Kind(in.data) == '{' && !slices.Contains(manifestVersions, version) {
		r.found("MCPB-002", in, "/manifest_version", "manifest_version is %q, expected one of %s", version,
			strings.Join(manifestVersions, ", "))
		return "", nil
	}
	if version == "" {
		version = manifestVersions[len(manifestVersions)-1]
	}
	if object, err := r.conforms(in, "MCPB-001", "mcpb-"+version); !object || err != nil {
		return "", err
	}
	if v := in.text("/version"); v != "" && !semantic().MatchString(v) {
		r.found("MCPB-006", in, "/version", "version is %q, expected a semantic version such as 1.2.3", v)
	} else if err := r.bundleVersion(in); err != nil {
		return "", err
	}
	r.bundleFiles(in)
	r.placeholders(in)
	r.entries(in)
	r.started(in)
	return "", r.secrets(in)
}

// bundleVersion compares the version with that of the package in the folder.
func (r *run) bundleVersion(in *file) error {
	local, err := r.localPackages("")
	for _, p := range local {
		if p.version != "" && p.version != in.text("/version") {
			r.found("MCPB-009", in, "/version", "the %s package in the folder has version %s, manifest.json names %s", p.kind,
				p.version, in.text("/version"))
			break
		}
	}
	return err
}

// bundleFiles checks that the files that the manifest names are in the folder.
func (r *run) bundleFiles(in *file) {
	named := []string{"/server/entry_point", "/icon"}
	named = append(named, in.items("/screenshots")...)
	for _, at := range in.items("/icons") {
		named = append(named, at+"/src")
	}
	named = append(named, in.scripts()...)
	for _, pointer := range named {
		name := strings.TrimPrefix(in.text(pointer), bundleDir)
		if name == "" || strings.Contains(name, "://") || strings.HasPrefix(name, "data:") {
			continue
		}
		clean := path.Clean(strings.TrimPrefix(name, "./"))
		if !fs.ValidPath(clean) {
			r.found("MCPB-003", in, pointer, "%q is not in the bundle: the path leaves its folder", name)
		} else if info, err := fs.Stat(r.opts.Folder, clean); err != nil || info.IsDir() {
			r.found("MCPB-003", in, pointer, "%q is not in the bundle", name)
		} else if data, err := r.content(clean); pointer == "/icon" && err == nil && !bytes.HasPrefix(data, []byte(png)) {
			r.found("MCPB-003", in, pointer, "%q is not a PNG file", name)
		}
	}
}

// bundleDir is how a configuration refers to the folder of the bundle.
const bundleDir = "${__dirname}/"

// scripts returns the arguments of the server that are scripts in the bundle, other than the entry point. Other arguments
// may name what the server creates.
func (in *file) scripts() []string {
	return slices.DeleteFunc(in.items("/server/mcp_config/args"), func(pointer string) bool {
		name, ours := strings.CutPrefix(in.text(pointer), bundleDir)
		return !ours || !slices.Contains([]string{".js", ".mjs", ".cjs", ".py"}, path.Ext(name)) ||
			path.Clean(name) == path.Clean(in.text("/server/entry_point"))
	})
}

// entries reports what a packed bundle has that hosts do not unpack.
func (r *run) entries(in *file) {
	bundle, ok := r.opts.Folder.(*zip.Reader)
	if !ok {
		return
	}
	for _, wrong := range unsafeEntries(bundle) {
		r.found("MCPB-010", in, "", "%s", wrong)
	}
}

// png is how a PNG file begins.
const png = "\x89PNG\r\n\x1a\n"

// placeholders checks that a host can replace each placeholder in the configuration of the server.
func (r *run) placeholders(in *file) {
	settings := in.names("/user_config")
	raw, ok := schema.Get(in.data, "/server/mcp_config")
	if !ok {
		return
	}
	var used []string
	for _, found := range placeholder().FindAllSubmatch(raw, -1) {
		if name := string(found[1]); !slices.Contains(used, name) {
			used = append(used, name)
		}
	}
	for _, name := range used {
		setting, isSetting := strings.CutPrefix(name, "user_config.")
		switch {
		case isSetting && !slices.Contains(settings, setting):
			r.found("MCPB-004", in, "/server/mcp_config", "${%s} has no declaration in user_config", name)
		case !isSetting && !slices.Contains(hostPlaceholders, name):
			r.found("MCPB-004", in, "/server/mcp_config", "${%s} is not a placeholder that hosts replace", name)
		}
	}
}
