// Package redact removes secrets from everything that leaves the process: logs, reports, exports, error messages.
//
// A secret is recognized by its name (a header, a query parameter, an environment variable, a JSON field), by its
// format (known token formats), or because the user provided it, which [Secrets] stores. Everything here runs in time
// linear in its input.
package redact

import (
	"net/http"
	"net/url"
	"strings"
)

// Placeholder replaces a secret.
const Placeholder = "[redacted]"

// userPlaceholder replaces the user information of a URL, where brackets would make the URL invalid for parsers.
const userPlaceholder = "redacted"

// Header returns a copy in which the values of secret headers are replaced by placeholders and secrets in other values
// are detected by format. The scheme of an Authorization value stays, since it is often the cause of a failure.
func Header(h http.Header) http.Header {
	if h == nil {
		return nil
	}
	clean := make(http.Header, len(h))
	for name, values := range h {
		copied := make([]string, len(values))
		for i, value := range values {
			copied[i] = headerValue(name, value)
		}
		clean[name] = copied
	}
	return clean
}

func headerValue(name, value string) string {
	if !SecretName(name) {
		return Text(value)
	}
	scheme, rest, found := strings.Cut(value, " ")
	if found && rest != "" && authScheme[strings.ToLower(scheme)] {
		return scheme + " " + Placeholder
	}
	return Placeholder
}

// authScheme lists the authentication schemes that may be shown next to a placeholder.
var authScheme = map[string]bool{"bearer": true, "basic": true, "digest": true, "dpop": true, "negotiate": true}

// URL replaces the user information and the values of secret parameters in the query and the fragment. The rest is
// unchanged, byte for byte, even if the text is not a valid URL.
func URL(raw string) string { return Text(address(raw)) }

// address is URL without the search for token formats, so that Text can use it.
func address(raw string) string {
	base, fragment, hasFragment := strings.Cut(raw, "#")
	base, query, hasQuery := strings.Cut(base, "?")
	clean := withoutUser(base)
	if hasQuery {
		clean += "?" + parameters(query, SecretParameter)
	}
	if hasFragment {
		clean += "#" + parameters(fragment, secretFragment)
	}
	return clean
}

func withoutUser(base string) string {
	scheme, rest, found := strings.Cut(base, "://")
	if !found {
		return base
	}
	authority, path := rest, ""
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		authority, path = rest[:slash], rest[slash:]
	}
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return base
	}
	return scheme + "://" + userPlaceholder + authority[at:] + path
}

func parameters(query string, secret func(string) bool) string {
	var out strings.Builder
	for len(query) > 0 {
		pair, separator := query, ""
		if end := strings.IndexAny(query, "&;"); end >= 0 {
			pair, separator = query[:end], query[end:end+1]
		}
		query = query[len(pair)+len(separator):]
		out.WriteString(parameter(pair, secret))
		out.WriteString(separator)
	}
	return out.String()
}

func parameter(pair string, secret func(string) bool) string {
	name, value, found := strings.Cut(pair, "=")
	plain, err := url.QueryUnescape(name)
	if err != nil {
		plain = name
	}
	if !found || value == "" || !secret(plain) {
		return pair
	}
	return name + "=" + Placeholder
}

// SecretParameter reports whether the value of a URL parameter of this name is a secret: names that [SecretName]
// matches, and codes and signatures that grant temporary access.
func SecretParameter(name string) bool {
	switch strings.ToLower(name) {
	case "code", "sig", "signature", "x-amz-signature", "x-goog-signature", "client_assertion", "assertion":
		return true
	}
	return SecretName(name)
}

// secretFragment also matches "t", the parameter with the token of our own page.
func secretFragment(name string) bool { return name == "t" || SecretParameter(name) }
