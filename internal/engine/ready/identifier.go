package ready

import (
	"regexp"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

// packageNames match the names of packages in a registry, packageVersion their versions.
var (
	packageNames = map[string]func() *regexp.Regexp{
		"npm":   lazyregexp.New(`^(?:@[a-z0-9~][a-z0-9._~-]*/)?[A-Za-z0-9~][A-Za-z0-9._~-]*$`),
		"pypi":  lazyregexp.New(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`),
		"nuget": lazyregexp.New(`^[A-Za-z0-9_]+(?:[._-][A-Za-z0-9_]+)*$`),
		"cargo": lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]*$`),
		"oci": lazyregexp.New(`^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?/)?[a-z0-9]+(?:[._/-]+[a-z0-9]+)*` +
			`(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`),
	}
	packageVersion = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z.+!_-]*$`)
)

// maxPackageName is how long the name of a package may be in any registry.
const maxPackageName = 255

// isPackageName reports whether an identifier is a name, and nothing that a package manager takes for something else.
func isPackageName(kind, name string) bool {
	form, known := packageNames[kind]
	return !known || len(name) <= maxPackageName && form().MatchString(name)
}

// identifier checks that a package manager reads the identifier and the version of a package as what they are.
func (r *run) identifier(in *file, at string) {
	kind, name, version := in.text(at+"/registryType"), in.text(at+"/identifier"), in.text(at+"/version")
	if name != "" && !strings.Contains(name, " ") && !isPackageName(kind, name) {
		r.found("REG-017", in, at+"/identifier", "%q is not the name of %s", name, kindName(kind))
	}
	if _, named := baseURLs[kind]; named && version != "" && !isRange(strings.TrimSpace(version)) &&
		!packageVersion().MatchString(version) {
		r.found("REG-017", in, at+"/version", "%q is not a version of %s", version, kindName(kind))
	}
}

// kindName names a package of a registry.
func kindName(kind string) string {
	if kind == "oci" {
		return "an image"
	}
	if kind == "npm" {
		return "an npm package"
	}
	return "a package of " + kind
}

// identifierFix removes the version from an identifier that repeats it, as in a command line.
func identifierFix(in *file, at string) candidate {
	name, version := in.text(at+"/identifier"), in.text(at+"/version")
	for _, separator := range []string{"@", "=="} {
		if plain, found := strings.CutSuffix(name, separator+version); found && version != "" && plain != "" {
			return candidate{file: serverFile, note: "the identifier does not repeat the version",
				edits: []finding.Edit{setText(at+"/identifier", plain)}}
		}
	}
	return candidate{}
}
