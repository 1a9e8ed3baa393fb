package ready

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A placeRule is a rule of one place.
type placeRule struct {
	finding.Rule
	place string
}

var rules = []placeRule{
	of(Registry, "REG-001", finding.Error, "server.json violates the schema\n\n"+
		"The registry validates server.json against the schema that $schema names. The description has at most 100 "+
		"characters, the name 3 to 200.\n\nChange the value as the message says."),
	of(Registry, "REG-002", finding.Warning, "server.json does not name the current schema\n\n"+
		"$schema names an older schema. The registry warns about it.\n\n"+
		"Set $schema to the current schema, and adapt the file to it."),
	of(Registry, "REG-003", finding.Error, "server name is not valid\n\n"+
		"A name is a reversed domain name and a name, separated by one slash. Both begin and end with a letter or a digit. "+
		"You must own the domain, or the account for io.github.ACCOUNT.\n\nRename the server, for example "+
		"io.github.octocat/weather."),
	of(Registry, "REG-004", finding.Error, "version is not one specific version\n\n"+
		"The version of a server or a package is a range, or latest. Each published version is a separate entry.\n\n"+
		"Write the exact version."),
	of(Registry, "REG-005", finding.Error, "link is not accepted\n\n"+
		"websiteUrl and icons must be absolute https URLs. repository must be a GitHub or GitLab project that its source "+
		"names, and subfolder a clean relative path.\n\nCorrect the link."),
	of(Registry, "REG-006", finding.Error, "argument is not usable\n\n"+
		"A named argument has a name without spaces, placeholders or values, and its value and default do not repeat the "+
		"name. A positional argument has a value or a valueHint.\n\nSplit the argument into its name and its value."),
	of(Registry, "REG-007", finding.Error, "transport is not usable\n\n"+
		"A package uses stdio without a URL, or streamable-http or sse with one. A remote uses streamable-http or sse at a "+
		"public https URL. Each variable in braces is declared.\n\nCorrect the type or the URL, or declare the variable."),
	of(Registry, "REG-008", finding.Error, "package is not accepted\n\n"+
		"An identifier has no spaces, and a package the version and the official registry of its type. A bundle is the https "+
		"URL of a release file on GitHub or GitLab that contains mcp, with fileSha256. An image has its version in the "+
		"identifier, and neither version nor registryBaseUrl.\n\nCorrect the package."),
	of(Registry, "REG-009", finding.Error, "package does not name the server\n\n"+
		"The registry looks into the published package to see that it belongs to you: mcpName in package.json, a line "+
		"mcp-name: NAME in the README of a PyPI, NuGet or crates.io package, or the label "+
		"io.modelcontextprotocol.server.name of an image. The package lacks it.\n\n"+
		"Add the mark and publish the package first."),
	of(Registry, "REG-010", finding.Warning, "versions differ\n\n"+
		"server.json names another version of the package than the one in this folder has. Users get the version in "+
		"server.json.\n\nSet both to the same version."),
	of(Registry, "REG-011", finding.Error, "publisher-provided metadata is too large\n\n"+
		"The registry accepts at most 4096 bytes of _meta[\"io.modelcontextprotocol.registry/publisher-provided\"].\n\n"+
		"Remove what clients do not need."),
	of(Registry, "REG-012", finding.Error, "unknown member\n\n"+
		"The registry rejects members that it does not know, although the schema permits them. Often the name of a member "+
		"is misspelled, or of an older schema.\n\nCorrect the name, or move the value to "+
		"_meta[\"io.modelcontextprotocol.registry/publisher-provided\"]."),
	of(Registry, "REG-013", finding.Error, "server does not start as server.json declares\n\n"+
		"With --start, the package was installed and started with the declared arguments and variables, or the remote was "+
		"reached, and no session could be opened. Clients do the same.\n\nCorrect what the message and the output of the "+
		"server name, and publish the package again."),
	of(Registry, "REG-014", finding.Error, "variable or header is not declared\n\n"+
		"The server requires an environment variable or an authorization header that server.json does not declare. Clients "+
		"ask their users only for what is declared.\n\nAdd it to environmentVariables or headers, with isRequired and "+
		"isSecret."),
	of(Registry, "REG-015", finding.Info, "server reports another name\n\n"+
		"The name in serverInfo is neither that of server.json nor that of the package. Users see both.\n\n"+
		"Use the same name."),
	of(Registry, "REG-016", finding.Error, "digest of the bundle differs\n\n"+
		"fileSha256 is not the digest of the bundle in this folder. Clients reject a file with another digest. A "+
		"bundle that is packed again, also from files with other line ends, has another digest.\n\n"+
		"Set fileSha256 to the digest of the file that you upload."),
	of(Registry, "REG-017", finding.Error, "identifier is not a package name\n\n"+
		"Clients pass identifier and version to npx, uvx, docker and others. What is not a name or a version there, such "+
		"as an option (--registry=…), a path or a URL, makes them run something else: clients must reject it, and "+
		"--start does not start it. The registry does not find such a package.\n\n"+
		"Write the name as the registry of packages has it, and the version in version."),
	of(MCPB, "MCPB-001", finding.Error, "manifest.json violates the schema\n\n"+
		"A host validates the manifest against the schema of its manifest_version and rejects unknown members.\n\n"+
		"Change or remove the member that the message names."),
	of(MCPB, "MCPB-002", finding.Error, "manifest version is not supported\n\n"+
		"manifest_version is missing, or not one of 0.1 to 0.4. Hosts reject to install the bundle.\n\n"+
		"Set manifest_version to a supported one."),
	of(MCPB, "MCPB-003", finding.Error, "file of the bundle does not exist\n\n"+
		"The manifest names an entry point, a script, an icon or a screenshot that is not in the folder, or an icon that is "+
		"not a PNG file. Packing succeeds without an entry point, and the installed server does not start.\n\n"+
		"Add the file, build it before packing, or correct the path."),
	of(MCPB, "MCPB-004", finding.Error, "placeholder has no value\n\n"+
		"mcp_config uses ${user_config.NAME} without a declaration in user_config, or another placeholder that hosts do not "+
		"replace. The server gets the text of the placeholder.\n\nDeclare the setting, or correct the name."),
	of(MCPB, "MCPB-005", finding.Error, "bundle contains a secret\n\n"+
		"The folder has a file that usually contains credentials, or a private key. Everybody who installs the bundle gets "+
		"it.\n\nMove it out of the folder, add it to .mcpbignore, and replace the credential if the bundle was published."),
	of(MCPB, "MCPB-006", finding.Warning, "version is not a semantic version\n\n"+
		"Hosts compare versions to offer updates. Text that is not MAJOR.MINOR.PATCH cannot be compared.\n\n"+
		"Use a version such as 1.2.3."),
	of(MCPB, "MCPB-007", finding.Error, "server does not start as the manifest declares\n\n"+
		"With --start, the server was started with mcp_config and the defaults of user_config, in another folder, and no "+
		"session could be opened. Hosts do the same.\n\nCorrect mcp_config, and pack every file that the server needs, "+
		"with its dependencies."),
	of(MCPB, "MCPB-008", finding.Error, "tools or prompts differ from the manifest\n\n"+
		"The lists of the manifest are shown before the installation. The server has others.\n\n"+
		"List the tools of the server, or set tools_generated if they depend on settings. --start --fix writes the list."),
	of(MCPB, "MCPB-009", finding.Warning, "versions differ\n\n"+
		"The server, or its package in the folder, has another version than the manifest names. Hosts offer updates by the "+
		"version of the manifest.\n\n"+
		"Set both to the same version."),
	of(MCPB, "MCPB-010", finding.Error, "bundle has an entry that hosts do not unpack\n\n"+
		"A path leaves the folder of the bundle, is a link, or is there twice, or the bundle is too large. Hosts reject such "+
		"a bundle, because it could overwrite other files.\n\nPack the folder again with mcpb pack."),
	of(MCPB, "MCPB-011", finding.Info, "server reports another name\n\n"+
		"The name in serverInfo is not that of the manifest. Users see both.\n\nUse the same name."),
	of(Claude, "CLAUDE-001", finding.Error, "tool has no title\n\n"+
		"The directory of Claude requires a title of each tool. People read it when Claude asks for permission.\n\n"+
		"Set title, or annotations.title."),
	of(Claude, "CLAUDE-002", finding.Error, "tool has neither readOnlyHint nor destructiveHint\n\n"+
		"The directory of Claude requires one of the two on each tool, so that Claude knows when to ask for permission.\n\n"+
		"Set annotations.readOnlyHint to true for a tool that only reads, and destructiveHint for others."),
	of(Claude, "CLAUDE-003", finding.Error, "tool name is longer than 64 characters\n\n"+
		"The directory of Claude rejects longer names.\n\nShorten the name."),
	from(claudeAuth, of(Claude, "CLAUDE-004", finding.Error, "authorization that the directory does not accept\n\n"+
		"The directory of Claude accepts servers without authorization, and OAuth in which Claude registers itself "+
		"(registration_endpoint) or names a document about itself (client_id_metadata_document_supported). It accepts "+
		"neither a fixed token in a header or a URL nor tokens for programs alone (client_credentials). mcptest auth --as "+
		"claude-ai shows each step.\n\nOffer OAuth with registration_endpoint or client_id_metadata_document_supported, or "+
		"remove the authorization.")),
	from(claudeChecklist, of(Claude, "CLAUDE-005", finding.Warning, "view opens links without the host\n\n"+
		"Frames of views may not open windows. Claude opens a link after it has asked the user, if the view sends "+
		"ui/open-link. The check reads the HTML, and finds views that have links and never ask the host.\n\n"+
		"Open links with app.openLink of the SDK, or the request ui/open-link.")),
	from(claudeChecklist, of(Claude, "CLAUDE-006", finding.Warning, "view has one theme only\n\n"+
		"The directory of Claude requires views that are readable in the light and in the dark theme. Nothing in the HTML "+
		"refers to a theme or to prefers-color-scheme. mcptest app shows the view in both.\n\n"+
		"Use the style variables of the host context, or prefers-color-scheme.")),
	from(claudeChecklist, of(Claude, "CLAUDE-007", finding.Warning, "view is too high, or scrolls inside of itself\n\n"+
		"A view inside of a conversation has at most 500 pixels of height, and only the conversation scrolls. The check "+
		"reads the styles of the HTML; mcptest app shows the view.\n\nShow less, offer the display mode fullscreen for "+
		"the rest, and remove the fixed height or the inner scrolling.")),
	of(ChatGPT, "CHATGPT-001", finding.Error, "annotation of a tool is not explicit\n\n"+
		"ChatGPT requires readOnlyHint, destructiveHint and openWorldHint of each tool. A default does not count.\n\n"+
		"Set all three annotations to true or false."),
	from(chatGPTAuth, of(ChatGPT, "CHATGPT-002", finding.Error, "authorization that ChatGPT does not support\n\n"+
		"ChatGPT supports servers without authorization, and OAuth 2.1 with metadata and PKCE (S256). It does not send a "+
		"fixed token, in a header or in a URL. mcptest auth --as chatgpt shows each step.\n\n"+
		"Publish the metadata of OAuth, with S256 in code_challenge_methods_supported, or remove the authorization.")),
	from(chatGPTAuth, of(ChatGPT, "CHATGPT-003", finding.Warning, "tool does not say which authorization it needs\n\n"+
		"ChatGPT reads from securitySchemes of each tool whether users must sign in first. Without it, they get errors "+
		"instead of the page to sign in, or must sign in for tools that do not need it.\n\n"+
		"Set securitySchemes to [{\"type\":\"noauth\"}], [{\"type\":\"oauth2\",\"scopes\":[…]}], or both.")),
	of(ChatGPT, "CHATGPT-004", finding.Error, "view without csp\n\n"+
		"ChatGPT requires _meta.ui.csp of each view that is submitted (\"Widget CSP is not set\"), even if the view loads "+
		"nothing.\n\nSet _meta.ui.csp, {} if the view loads nothing."),
	of(ChatGPT, "CHATGPT-005", finding.Warning, "view without domain\n\n"+
		"ChatGPT requires a domain of each view that is submitted: an https origin that is yours alone. Claude expects another "+
		"form (APP-013), so a server may send it to ChatGPT only, and mcptest does not see it then.\n\n"+
		"Set _meta.ui.domain to an https origin for ChatGPT."),
}

// of is a rule of a place.
func of(place, id string, severity finding.Severity, doc string) placeRule {
	return placeRule{finding.Rule{ID: id, Severity: severity, Doc: doc, Spec: profiles[place].source}, place}
}

// from gives a rule a more specific source.
func from(source string, r placeRule) placeRule {
	r.Spec = source
	return r
}

// fix returns what to do about a finding: the last paragraph of the rule.
func (r *placeRule) fix() string { return r.Doc[strings.LastIndex(r.Doc, "\n")+1:] }

// Rules lists the rules, in the order of the report.
func Rules() []finding.Rule {
	all := make([]finding.Rule, len(rules))
	for i, r := range rules {
		all[i] = r.Rule
	}
	return all
}

func ruleByID(id string) finding.Rule {
	for _, r := range rules {
		if r.ID == id {
			return r.Rule
		}
	}
	panic("ready: no rule " + id)
}

// Explain returns the page of a rule in Markdown.
func Explain(id string) (string, bool) {
	for _, r := range rules {
		if !strings.EqualFold(r.ID, id) {
			continue
		}
		_, body, _ := strings.Cut(r.Doc, "\n")
		p := profiles[r.place]
		return fmt.Sprintf("# %s: %s\n\nSeverity: %s. Found by `mcptest ready`.\nSource: %s, %s, as of %s: <%s>\n\n%s\n",
			r.ID, r.Title(), r.Severity, p.title, p.of, p.date, r.Spec, strings.TrimSpace(body)), true
	}
	return "", false
}
