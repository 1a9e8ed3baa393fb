package serve

import (
	"encoding/json"
	"net/http"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// StatusOf returns the HTTP status of a response.
func StatusOf(err *Error, e spec.Era) int {
	switch {
	case err == nil || e == spec.Legacy:
		return http.StatusOK
	case err.Code == CodeMethodNotFound:
		return http.StatusNotFound
	case err.Code == CodeInternal:
		return http.StatusOK
	}
	return http.StatusBadRequest
}

// CheckVersion rejects a version header that is not supported, or that contradicts the body.
func CheckVersion(version string, m Message) *Error {
	if version == "" {
		return nil
	}
	named, _ := modernMeta(m.Params)
	return checkVersion(version, named)
}

// checkVersion is CheckVersion for a body with a revision, or "" if it has none.
func checkVersion(version, named string) *Error {
	if version == "" {
		return nil
	}
	if named != "" && named != version {
		return mismatch("MCP-Protocol-Version") // whether or not either is known
	}
	if _, known := spec.Find(version); known {
		return nil
	}
	return unsupported(version, Revisions()...)
}

func mismatch(header string) *Error {
	return &Error{Code: CodeHeaderMismatch, Message: header + " header does not match the body"}
}

// CheckHeaders compares the headers of a modern request with its body, which they repeat.
func CheckHeaders(h http.Header, m Message) *Error {
	version, _ := modernMeta(m.Params)
	return checkHeaders(h, version, m.Method, nameOf(m))
}

func checkHeaders(h http.Header, version, method, name string) *Error {
	for _, c := range []struct{ header, want string }{
		{"MCP-Protocol-Version", version}, {"Mcp-Method", method}, {"Mcp-Name", name},
	} {
		if got := spec.HeaderText(h.Get(c.header)); c.want != "" && got != c.want {
			return mismatch(c.header)
		}
	}
	return nil
}

// nameOf returns the value of the header Mcp-Name: the tool, prompt or resource of a request.
func nameOf(m Message) string {
	var name string
	json.Unmarshal(Members(m.Params)[spec.NamedBy(m.Method)], &name)
	return name
}

// WriteReply writes a JSON-RPC response as the whole HTTP response.
func WriteReply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body)
}
