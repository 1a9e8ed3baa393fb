package front

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// maxName is the longest name of a tool that all hosts take.
const maxName = 64

// separator stands between a server and what it offers.
const separator = "__"

// hashLength is how many characters tell names apart that were shortened or changed: 65 bits.
const hashLength = 13

var hashText = base32.HexEncoding.WithPadding(base32.NoPadding)

// Expose returns the name under which clients see a tool or a prompt of a server: server__tool where that fits into the
// budget, is made of letters that every host takes, and can be taken apart in one way only; a shortened name with a
// hash where not. No two have the same name, and a name depends on nothing but the server and the tool.
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

// unambiguous tells whether server and name can be read out of the plain name.
func unambiguous(server, name string) bool {
	if clean(server) != server || clean(name) != name || name == "" {
		return false
	}
	if server == "" {
		return !strings.Contains(name, separator)
	}
	return !strings.Contains(server, separator) && !strings.HasSuffix(server, "_") && !strings.HasPrefix(name, "_")
}

// hashed tells whether a name ends like one that has a hash.
func hashed(name string) bool {
	if len(name) < hashLength+1 || name[len(name)-hashLength-1] != '-' {
		return false
	}
	return strings.Trim(name[len(name)-hashLength:], "0123456789abcdefghijklmnopqrstuv") == ""
}

// clean replaces what not every host takes in a name.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
