package ready

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// candidates are the changes of all files, in the order in which they are tried.
func (r *run) candidates() ([]candidate, error) {
	var all []candidate
	for name, of := range map[string]func(*file, []localPackage) []candidate{serverFile: r.serverFixes,
		manifestFile: r.manifestFixes} {
		in, err := r.read(name)
		if in == nil || err != nil || schema.Kind(in.data) != '{' {
			continue
		}
		local, err := r.localPackages(in.text("/repository/subfolder"))
		if err != nil {
			return nil, err
		}
		all = append(all, of(in, local)...)
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return strings.Compare(b.file, a.file) })
	return all, nil
}

// serverFixes are the changes of server.json, and of the packages that must name it.
func (r *run) serverFixes(in *file, local []localPackage) []candidate {
	edit := func(note string, edits ...finding.Edit) candidate {
		return candidate{file: serverFile, note: note, edits: edits}
	}
	all := []candidate{edit("$schema names the current schema", setText("/$schema", schemaPrefix+currentSchema+schemaSuffix))}
	all = append(all, repositoryFix(in), descriptionFix(local))
	all = append(all, r.versionFixes(in, local)...)
	for _, at := range in.items("/packages") {
		all = append(all, identifierFix(in, at))
		all = append(all, argumentFixes(in, at)...)
		if digest := r.digestOf(bundleFile(in, at)); digest != "" {
			all = append(all, edit("fileSha256 is the digest of "+bundleFile(in, at), setText(at+"/fileSha256", digest)))
		}
		for _, member := range []string{"fileSha256", "registryBaseUrl", "version"} {
			version := in.text(at + "/version")
			if member == "version" && (version == "" || !strings.Contains(in.text(at+"/identifier"), ":"+version)) {
				continue // the identifier does not have the version
			}
			all = append(all, edit("a package of this type has no "+member, finding.Edit{Pointer: at + "/" + member}))
		}
	}
	for _, p := range local {
		if note := "the package names the server"; p.kind == "npm" && p.manifest != "" {
			all = append(all, candidate{file: p.manifest, note: note, edits: []finding.Edit{setText("/mcpName", in.text("/name"))}})
		} else if p.readme != "" {
			all = append(all, candidate{file: p.readme, note: note,
				appended: fmt.Sprintf("\n<!-- mcp-name: %s -->\n", in.text("/name"))})
		}
	}
	return append(all, unknownFixes(in, "", serverMembers)...)
}

// versionFixes set the versions of server.json to those of the packages in the folder.
func (r *run) versionFixes(in *file, local []localPackage) (all []candidate) {
	for _, p := range local {
		same := !slices.ContainsFunc(local, func(other localPackage) bool { return other.version != p.version })
		note := fmt.Sprintf("the version is that of the %s package in this folder, %s", p.kind, p.version)
		for _, at := range in.items("/packages") {
			if in.text(at+"/registryType") != p.kind || in.text(at+"/identifier") != p.name || p.version == "" {
				continue
			}
			edits := []finding.Edit{setText(at+"/version", p.version)}
			if same && in.text("/version") == in.text(at+"/version") {
				edits = append(edits, setText("/version", p.version))
			}
			all = append(all, candidate{file: serverFile, note: note, edits: edits})
		}
		if same && p.version != "" {
			all = append(all, candidate{file: serverFile, note: note, edits: []finding.Edit{setText("/version", p.version)}})
		}
	}
	return all
}

// gitURL is the form of a URL that git uses.
var gitURL = lazyregexp.New(`^(?:git\+)?(?:https?://|ssh://git@|git@)(github|gitlab)\.com[/:](.+?)(?:\.git)?/?$`)

// repositoryFix writes the URL of a repository as its website has it, and its source.
func repositoryFix(in *file) candidate {
	found := gitURL().FindStringSubmatch(in.text("/repository/url"))
	if found == nil {
		return candidate{}
	}
	return candidate{file: serverFile, note: "repository is the project on " + found[1] + ".com", edits: []finding.Edit{
		setText("/repository/url", "https://"+found[1]+".com/"+found[2]), setText("/repository/source", found[1])}}
}

// descriptionFix takes the description of the only package in the folder.
func descriptionFix(local []localPackage) candidate {
	if len(local) != 1 || local[0].description == "" {
		return candidate{}
	}
	return candidate{file: serverFile, note: "the description is that of the " + local[0].kind + " package in this folder",
		edits: []finding.Edit{setText("/description", local[0].description)}}
}

// argumentFixes remove the name of an argument from its value.
func argumentFixes(in *file, at string) (all []candidate) {
	for _, list := range []string{"/runtimeArguments", "/packageArguments"} {
		for _, argument := range in.items(at + list) {
			name := in.text(argument + "/name")
			for _, member := range []string{"/value", "/default"} {
				rest, repeats := strings.CutPrefix(in.text(argument+member), name)
				if value := strings.TrimLeft(rest, "= "); name != "" && repeats && value != rest && value != "" {
					all = append(all, candidate{file: serverFile, note: "the value of " + name + " does not repeat the name",
						edits: []finding.Edit{setText(argument+member, value)}})
				}
			}
		}
	}
	return all
}

// unknownFixes remove members that the registry rejects. A name that is close to a known one was probably misspelled, and
// stays.
func unknownFixes(in *file, at string, known members) (all []candidate) {
	for _, element := range in.items(at) {
		all = append(all, unknownFixes(in, element, known)...)
	}
	for _, name := range in.names(at) {
		pointer := at + "/" + schema.Token(name)
		inner, ok := known[name]
		if _, open := known["*"]; open {
			inner, ok = known["*"], true
		}
		switch {
		case ok && inner != nil:
			all = append(all, unknownFixes(in, pointer, inner)...)
		case !ok && typo.Best(name, names(known)) == "":
			all = append(all, candidate{file: in.name, note: "the unknown member " + pointer + " is removed",
				edits: []finding.Edit{{Pointer: pointer}}})
		}
	}
	return all
}
