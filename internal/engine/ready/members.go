package ready

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

// members are the members of an object that the registry knows, each with the members of its value, or of the elements of
// its value; nil for a value with any members. The name * stands for all.
type members map[string]members

// serverMembers are those of server.json. The schema permits others, the registry does not.
var serverMembers = func() members {
	input := named("description isRequired format value isSecret default placeholder choices")
	variables := members{"*": input}
	pair := with(input, members{"name": nil, "variables": variables})
	argument := with(pair, named("type valueHint isRepeated"))
	transport := members{"type": nil, "url": nil, "headers": pair, "variables": variables}
	pack := with(named("registryType registryBaseUrl identifier version fileSha256 runtimeHint"), members{"transport": transport,
		"runtimeArguments": argument, "packageArguments": argument, "environmentVariables": pair})
	return with(named("$schema name description title version websiteUrl"), members{
		"repository": named("url source id subfolder"), "icons": named("src mimeType sizes theme"), "packages": pack,
		"remotes": transport, "_meta": {publisherMeta: nil}})
}()

// named are members with any values.
func named(names string) members {
	all := members{}
	for name := range strings.FieldsSeq(names) {
		all[name] = nil
	}
	return all
}

// with returns two sets as one.
func with(sets ...members) members {
	all := members{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// unknownMembers reports the members of a value that the registry rejects.
func (r *run) unknownMembers(in *file, at string, known members) {
	for _, element := range in.items(at) {
		r.unknownMembers(in, element, known)
	}
	for _, name := range in.names(at) {
		pointer := at + "/" + schema.Token(name)
		inner, ok := known[name]
		if any, open := known["*"]; open {
			inner, ok = any, true
		}
		if !ok {
			r.found("REG-012", in, pointer, "the registry rejects the unknown member %q%s", name, meant(name, known))
		} else if inner != nil {
			r.unknownMembers(in, pointer, inner)
		}
	}
}

// meant names the known member that an unknown one is probably meant to be.
func meant(name string, known members) string {
	if near := typo.Best(name, names(known)); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

func names(known members) []string { return slices.Sorted(maps.Keys(known)) }
