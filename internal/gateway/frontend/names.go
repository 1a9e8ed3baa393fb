package frontend

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// maxName is the maximum length of a tool name that all hosts accept.
const maxName = 64

// separator separates a server from its items.
const separator = "__"

// hashLength is the length of the hash that keeps shortened or changed names unique: 65 bits.
const hashLength = 13

var hashText = base32.HexEncoding.WithPadding(base32.NoPadding)

// Expose returns the name under which clients see a tool or a prompt of a server: server__tool if it is within the
// length limit, has only characters that every host accepts, and can be split in only one way; otherwise a shortened
// name with a hash. Names are unique, and depend only on the server and the tool.
func Expose(server, name string, budget int) string {
	plain := server + separator + name
	if server == "" {
		plain = name
	}
	if len(plain) <= budget && unambiguous(server, name) && !hashed(plain) {
		return plain
	}
	sum := sha256.Sum256([]byte(server + "\x00" + name))
	mark := "-" + strings.ToLower(hashText.EncodeToString(sum[:]))[:hashLength]
	readable := clean(server) + separator + clean(name)
	return readable[:min(len(readable), budget-len(mark))] + mark
}

// unambiguous reports whether the plain name can be split into server and name unambiguously.
func unambiguous(server, name string) bool {
	if clean(server) != server || clean(name) != name || name == "" {
		return false
	}
	if server == "" {
		return !strings.Contains(name, separator)
	}
	return !strings.Contains(server, separator) && !strings.HasSuffix(server, "_") && !strings.HasPrefix(name, "_")
}

// hashed reports whether a name ends like one that has a hash.
func hashed(name string) bool {
	if len(name) < hashLength+1 || name[len(name)-hashLength-1] != '-' {
		return false
	}
	return strings.Trim(name[len(name)-hashLength:], "0123456789abcdefghijklmnopqrstuv") == ""
}

// clean replaces characters that not every host accepts in a name.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
