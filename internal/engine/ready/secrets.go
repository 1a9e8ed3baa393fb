package ready

import (
	"io/fs"
	"path"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// maxFiles limits how many files of a folder are looked at.
const maxFiles = 100_000

var (
	// files that usually contain credentials
	secretFile = lazyregexp.New(`(?i)^(\.env(\..+)?|\.npmrc|\.pypirc|\.netrc|id_(rsa|ecdsa|ed25519)|credentials\.json|.*\.(pem|key|p12|pfx))$`)
	// files that show what such a file contains, without values
	exampleFile = lazyregexp.New(`(?i)\.(example|sample|template|dist)$`)
	// files that packing omits
	unpacked = lazyregexp.New(`(?i)^(\.env.*|\.npmrc)$`)
)

// secrets looks for files with credentials among those that are in the bundle, or would be.
func (r *run) secrets(in *file) error {
	ignored := r.ignored()
	seen := 0
	return fs.WalkDir(r.opts.Folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if seen++; err != nil || seen > maxFiles {
			return fs.SkipDir
		}
		base := path.Base(name)
		if entry.IsDir() {
			if base == "node_modules" || base == "site-packages" || base == ".git" || base == ".venv" || ignored(name) {
				return fs.SkipDir // packages of others, and what is not packed
			}
			return nil
		}
		if !secretFile().MatchString(base) || exampleFile().MatchString(base) || ignored(name) ||
			!r.opts.Packed && unpacked().MatchString(base) || !r.hasSecret(name) {
			return nil
		}
		verb := "would be packed into"
		if r.opts.Packed {
			verb = "is in"
		}
		r.found("MCPB-005", in, "", "%s %s the bundle", name, verb)
		return nil
	})
}

// ignored returns which names the file .mcpbignore of the folder omits: by name, by path, or by a pattern of these.
func (r *run) ignored() func(name string) bool {
	data, _ := r.content(".mcpbignore")
	patterns := strings.Fields(string(data))
	return func(name string) bool {
		for _, pattern := range patterns {
			pattern = strings.Trim(pattern, "/")
			for _, candidate := range []string{name, path.Base(name)} {
				if same, _ := path.Match(pattern, candidate); same {
					return !r.opts.Packed
				}
			}
		}
		return false
	}
}

// hasSecret reports whether a file has something to protect: certificates, and settings without a token, do not.
func (r *run) hasSecret(name string) bool {
	data, err := r.content(name)
	if err != nil {
		return true // it is not known to be harmless
	}
	text := string(data)
	switch base := strings.ToLower(path.Base(name)); {
	case strings.HasSuffix(base, ".pem"), strings.HasSuffix(base, ".key"):
		return strings.Contains(text, "PRIVATE KEY")
	case base == ".npmrc":
		return strings.Contains(text, "_auth") || strings.Contains(text, "_password")
	case base == "credentials.json":
		return strings.Contains(text, "private_key") || strings.Contains(text, "secret")
	}
	return strings.TrimSpace(text) != ""
}
