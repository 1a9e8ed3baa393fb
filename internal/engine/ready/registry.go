package ready

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The current schema of server.json, and those that the registry still knows.
const (
	schemaPrefix  = "https://static.modelcontextprotocol.io/schemas/"
	schemaSuffix  = "/server.schema.json"
	currentSchema = "2025-12-11"
)

var knownSchemas = []string{"2025-07-09", "2025-09-16", "2025-09-29", "2025-10-11", "2025-10-17", currentSchema}

// publisherMeta is the only member of _meta.
const publisherMeta = "io.modelcontextprotocol.registry/publisher-provided"

// maxPublisherMeta is the size limit of the metadata that a publisher provides.
const maxPublisherMeta = 4096

var (
	serverName = lazyregexp.New(`^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$`)
	// a comparison, two versions with a hyphen or || between them, or x and * for a part
	versionRange = lazyregexp.New(`^([\^~<>=]=?\s*v?\d|v?\d\S*\s+-\s*v?\d|v?\d[^|]*\|\||(v?\d+|[xX*])(\.(\d+|[xX*])){1,2}(-[0-9A-Za-z.-]+)?$)`)
	github       = lazyregexp.New(`^https?://(www\.)?github\.com/[\w.-]+/[\w.-]+/?$`)
	gitlab       = lazyregexp.New(`^https?://(www\.)?gitlab\.com/[\w.-]+(/[\w.-]+)+/?$`)
	cleanPath    = lazyregexp.New(`^[a-zA-Z0-9\-_./]+$`)
)

// registry checks server.json.
func (r *run) registry() (skipped string, err error) {
	in, err := r.read(serverFile)
	if in == nil || err != nil {
		return "there is no " + serverFile, err
	}
	in.withoutNulls() // as the registry does
	object, err := r.conforms(in, "REG-001", "server-"+currentSchema)
	if !object || err != nil {
		return "", err
	}
	r.schemaVersion(in)
	r.unknownMembers(in, "", serverMembers)
	r.empty(in)
	named := serverName().MatchString(in.text("/name"))
	if name := in.text("/name"); name != "" && !named {
		r.found("REG-003", in, "/name", "%q is not of the form io.github.ACCOUNT/NAME", name)
	}
	r.version(in, "/version")
	r.links(in)
	for _, at := range in.items("/packages") {
		r.registryPackage(in, at)
	}
	for _, at := range in.items("/remotes") {
		r.remote(in, at)
	}
	if meta, ok := schema.Get(in.data, "/_meta/"+schema.Token(publisherMeta)); ok &&
		len(compact(meta)) > maxPublisherMeta {
		r.found("REG-011", in, "/_meta", "publisher-provided metadata has %d bytes, at most %d are accepted",
			len(compact(meta)), maxPublisherMeta)
	}
	r.started(in)
	if !named {
		return "", nil // the packages have to name a server that is valid
	}
	return "", r.ownership(in)
}

// schemaVersion checks which schema the file names.
func (r *run) schemaVersion(in *file) {
	named := in.text("/$schema")
	date := strings.TrimSuffix(strings.TrimPrefix(named, schemaPrefix), schemaSuffix)
	switch {
	case date == currentSchema:
	case named == "":
		r.found("REG-001", in, "", "$schema is missing, expected %s", schemaPrefix+currentSchema+schemaSuffix)
	case slices.Contains(knownSchemas, date):
		r.found("REG-002", in, "/$schema", "the schema of %s is outdated, the current one is of %s", date, currentSchema)
	default:
		r.found("REG-001", in, "/$schema", "%q is not a schema of server.json, expected %s", named,
			schemaPrefix+currentSchema+schemaSuffix)
	}
}

// empty reports texts that must not be empty, although the schema does not say so.
func (r *run) empty(in *file) {
	required := []string{"/version"}
	for _, at := range in.items("/packages") {
		required = append(required, at+"/registryType", at+"/identifier")
	}
	for _, pointer := range required {
		if value, _ := schema.Get(in.values, pointer); string(value) == `""` {
			r.found("REG-001", in, pointer, "%s is empty", path.Base(pointer))
		}
	}
	if title := in.text("/title"); title != "" && strings.TrimSpace(title) == "" {
		r.found("REG-001", in, "/title", "title consists of spaces")
	}
}

// version checks that a version is a specific one.
func (r *run) version(in *file, pointer string) {
	switch version := strings.TrimSpace(in.text(pointer)); {
	case version == "latest":
		r.found("REG-004", in, pointer, "version is latest, expected a specific version")
	case isRange(version):
		r.found("REG-004", in, pointer, "version %q is a range, expected a specific version", version)
	}
}

// isRange reports whether a version is a range of versions.
func isRange(version string) bool {
	if !versionRange().MatchString(version) {
		return false
	}
	dotted := version[0] == 'v' || version[0] >= '0' && version[0] <= '9'
	return !dotted || strings.ContainsAny(version, "xX*|") || strings.Contains(version, " -")
}

// links checks the website, the icons and the repository.
func (r *run) links(in *file) {
	if site := in.text("/websiteUrl"); site != "" && (!isHTTPS(site) || strings.ContainsAny(site, "\"'<> \t\n\r")) {
		r.found("REG-005", in, "/websiteUrl", "websiteUrl is %q, expected an absolute https URL", site)
	}
	for _, at := range in.items("/icons") {
		if src := in.text(at + "/src"); !isHTTPS(src) {
			r.found("REG-005", in, at+"/src", "the icon is at %q, expected an absolute https URL", src)
		}
	}
	if !in.has("/repository") {
		return
	}
	source, link := in.text("/repository/source"), in.text("/repository/url")
	valid := source == "github" && github().MatchString(link) ||
		source == "gitlab" && gitlab().MatchString(link) && !strings.Contains(link+"/", "/-/")
	if !valid {
		r.found("REG-005", in, "/repository", "%q with the source %q is not a project on GitHub or GitLab", link, source)
	}
	if folder := in.text("/repository/subfolder"); folder != "" && (strings.HasPrefix(folder, "/") ||
		folder == "." || strings.Contains("/"+folder+"/", "/../") || path.Clean(folder) != folder ||
		!cleanPath().MatchString(folder)) {
		r.found("REG-005", in, "/repository/subfolder", "subfolder %q is not a clean relative path", folder)
	}
}

func isHTTPS(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https"
}
