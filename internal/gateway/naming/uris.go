package naming

import (
	"net/url"
	"strconv"
	"strings"
)

// Two servers can have a resource with the same URI. So clients see each URI with its server in the fragment:
// ui://app/view.html of the server maps is ui://app/view.html#gateway=maps. A fragment is valid in a URI of every
// scheme, and is not sent when the URI is fetched.

// fragmentName is the prefix of the server name.
const fragmentName = "gateway="

// URI returns the URI, or the template of URIs, under which clients see a resource of a server.
func URI(server, uri string) string {
	delimiter := "#"
	if strings.Contains(uri, "#") {
		delimiter = "&"
	}
	return uri + delimiter + fragmentName + escapeServer(server)
}

// ReadURI is the reverse of URI; false for a URI without a server.
func ReadURI(uri string) (server, own string, ok bool) {
	at := strings.LastIndex(uri, fragmentName)
	if at < 1 {
		return "", "", false
	}
	own = uri[:at-1]
	server, err := url.PathUnescape(uri[at+len(fragmentName):])
	if err != nil || URI(server, own) != uri {
		return "", "", false
	}
	return server, own, true
}

// escapeServer escapes a name for use in a fragment.
func escapeServer(server string) string {
	var b strings.Builder
	for i := range len(server) {
		c := server[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)+0x100, 16))[1:])
	}
	return b.String()
}
