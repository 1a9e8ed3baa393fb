// Package naming has the names under which the clients of a gateway see the tools, prompts and resources of its servers.
package naming

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// Max is the maximum length of a tool name that all hosts accept.
const Max = 64

// Separator separates a server from its items.
const Separator = "__"

// hashLength is the length of the hash that keeps shortened or changed names unique: 65 bits.
const hashLength = 13

var hashText = base32.HexEncoding.WithPadding(base32.NoPadding)

// Expose returns the name under which clients see a tool or a prompt of a server: server__tool if it is within the
// length limit, has only characters that every host accepts, and can be split in only one way; otherwise a shortened
// name with a hash. Names are unique, and depend only on the server and the tool.
func Expose(server, name string, budget int) string {
	plain := server + Separator + name
	if server == "" {
		plain = name
	}
	if len(plain) <= budget && Unambiguous(server, name) && !Hashed(plain) {
		return plain
	}
	sum := sha256.Sum256([]byte(server + "\x00" + name))
	mark := "-" + strings.ToLower(hashText.EncodeToString(sum[:]))[:hashLength]
	readable := Clean(server) + Separator + Clean(name)
	return readable[:min(len(readable), budget-len(mark))] + mark
}

// Unambiguous reports whether the plain name can be split into server and name unambiguously.
func Unambiguous(server, name string) bool {
	if Clean(server) != server || Clean(name) != name || name == "" {
		return false
	}
	if server == "" {
		return !strings.Contains(name, Separator)
	}
	return !strings.Contains(server, Separator) && !strings.HasSuffix(server, "_") && !strings.HasPrefix(name, "_")
}

// Hashed reports whether a name ends like one that has a hash.
func Hashed(name string) bool {
	if len(name) < hashLength+1 || name[len(name)-hashLength-1] != '-' {
		return false
	}
	return strings.Trim(name[len(name)-hashLength:], "0123456789abcdefghijklmnopqrstuv") == ""
}

// Clean replaces characters that not every host accepts in a name.
func Clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// Belongs reports whether a name can be the exposed name of an item of a server.
func Belongs(name, server string) bool {
	if strings.HasPrefix(name, server+"/") {
		return true // as the meta-tools accept it
	}
	prefix := Clean(server) + Separator
	if Hashed(name) { // it may be truncated
		name = name[:len(name)-hashLength-1]
		prefix = prefix[:min(len(prefix), len(name))]
	}
	return strings.HasPrefix(name, prefix)
}

// Is reports whether clients of a gateway see a tool or a prompt of a server under a name.
func Is(exposed, server, name string) bool {
	if len(exposed) <= hashLength+1 { // too short for a hash
		return exposed == server+Separator+name && Unambiguous(server, name)
	}
	return Expose(server, name, len(exposed)) == exposed
}

// Own returns the name that a server uses for a tool or a prompt; false if it cannot be read from the name that clients
// see.
func Own(exposed, server string) (string, bool) {
	name, ok := strings.CutPrefix(exposed, server+Separator)
	return name, ok && server != "" && Is(exposed, server, name)
}
