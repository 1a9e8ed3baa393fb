package change

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Hash identifies a definition. It does not depend on white space and the order of fields.
func Hash(definition json.RawMessage) string {
	decoder := json.NewDecoder(bytes.NewReader(definition))
	decoder.UseNumber()
	var value any
	canonical := []byte(definition)
	if decoder.Decode(&value) == nil {
		canonical, _ = json.Marshal(value) // sorts names
	}
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}
