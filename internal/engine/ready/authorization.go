package ready

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// An Authorization is what a server requires of clients that it does not know.
type Authorization struct {
	Server    string // its URL
	Required  bool   // it rejects requests without credentials
	Problem   string // why clients cannot use its metadata; empty if they can
	Metadata  bool   // it publishes OAuth metadata
	Registers bool   // clients can register themselves, or name a document about themselves
	Users     bool   // users can agree: the grant authorization_code
}

// authorizations applies the requirements of a directory to the servers that were reached, and to the remotes of
// server.json.
func (r *run) authorizations(rule string, judge func(*Authorization) string) error {
	all := r.opts.Authorizations
	for _, s := range r.opts.Started {
		if s.Authorization != nil {
			all = append(all, s.Authorization)
		}
	}
	for _, a := range all {
		if wrong := judge(a); wrong != "" {
			r.about(rule, a.Server, "", wrong)
		}
		if name := credentialInURL(a.Server); name != "" {
			r.about(rule, a.Server, "", fmt.Sprintf("the URL contains a credential: the parameter %s", name))
		}
	}
	in, err := r.read(serverFile)
	if in == nil || err != nil || schema.Kind(in.data) != '{' {
		return err
	}
	for _, at := range in.items("/remotes") {
		r.remoteCredentials(rule, in, at)
	}
	return nil
}

// claudeAuthorization returns what the directory of Claude rejects.
func claudeAuthorization(a *Authorization) string {
	switch {
	case !a.Required:
		return ""
	case a.Problem != "":
		return "clients cannot sign in: " + a.Problem
	case !a.Metadata:
		return "the server requires a credential and publishes no OAuth metadata: only a fixed token can be meant"
	case !a.Users:
		return "the authorization server does not offer the grant authorization_code: only programs get tokens, users do not"
	case !a.Registers:
		return "the authorization server offers neither registration_endpoint nor client_id_metadata_document_supported"
	}
	return ""
}

// chatGPTAuthorization returns what ChatGPT rejects. It can use a client that the publisher has registered.
func chatGPTAuthorization(a *Authorization) string {
	if known := *a; known.Required {
		known.Registers = true
		return claudeAuthorization(&known)
	}
	return ""
}

// remoteCredentials reports a remote of server.json that is declared with a fixed credential, in a header or in its URL.
func (r *run) remoteCredentials(rule string, in *file, at string) {
	for _, header := range in.items(at + "/headers") {
		name := in.text(header + "/name")
		if in.isTrue(header+"/isRequired") && (in.isTrue(header+"/isSecret") || redact.SecretName(name)) {
			r.found(rule, in, header, "the remote requires the header %s with a fixed credential", name)
		}
	}
	link := in.text(at + "/url")
	for _, used := range variable().FindAllStringSubmatch(link, -1) {
		if in.isTrue(at + "/variables/" + schema.Token(used[1]) + "/isSecret") {
			r.found(rule, in, at+"/url", "the URL of the remote contains a credential: the variable %s", used[0])
			return
		}
	}
	if name := credentialInURL(link); name != "" {
		r.found(rule, in, at+"/url", "the URL of the remote contains a credential: the parameter %s", name)
	}
}

// credentialInURL returns the parameter of a URL that contains a credential; empty if there is none.
func credentialInURL(link string) string {
	_, query, _ := strings.Cut(link, "?")
	query, _, _ = strings.Cut(query, "#")
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil && redact.SecretName(plain) {
			return plain
		}
	}
	return ""
}

// securitySchemes reports tools of a server with authorization that do not say which authorization they need.
func (r *run) securitySchemes() {
	required := false
	for _, a := range r.opts.Authorizations {
		required = required || a.Required
	}
	for _, tool := range r.toolList() {
		name := schema.TextAt(tool, "/name")
		raw, declared := schema.Get(tool, "/securitySchemes")
		pointer := "/securitySchemes"
		if !declared {
			if raw, declared = schema.Get(tool, "/_meta/securitySchemes"); declared {
				pointer = "/_meta/securitySchemes"
			}
		}
		if !declared {
			if required {
				r.about("CHATGPT-003", name, "/securitySchemes", "securitySchemes is missing, and the server requires a sign-in")
			}
			continue
		}
		schemes, err := schema.Elements(raw)
		if err != nil || schema.Kind(raw) != '[' || len(schemes) == 0 {
			r.about("CHATGPT-003", name, pointer, "securitySchemes is not a list of schemes")
		}
		for _, one := range schemes {
			if kind := schema.TextAt(one, "/type"); kind != "noauth" && kind != "oauth2" {
				r.about("CHATGPT-003", name, pointer, fmt.Sprintf("the type of a scheme is %q, expected noauth or oauth2", kind))
			}
		}
	}
}

// about records a finding about a tool, a view or a server.
func (r *run) about(id, subject, pointer, message string) {
	r.findings[id] = append(r.findings[id], finding.Finding{Rule: id, Severity: ruleByID(id).Severity, Message: message,
		Where: finding.Location{Subject: subject, Pointer: pointer}})
}
