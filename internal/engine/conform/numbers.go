package conform

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of the search for numbers in a result.
const (
	maxDepth = 6  // of a number
	maxItems = 20 // of a list
)

// eachNumber calls see for the numbers in a value, with their place. A text has none.
func eachNumber(value json.RawMessage, see func(path string, number json.Number)) {
	decoder := json.NewDecoder(bytes.NewReader(value))
	decoder.UseNumber()
	var parsed any
	if decoder.Decode(&parsed) == nil && !decoder.More() {
		walkNumbers("", parsed, 0, see)
	}
}

func walkNumbers(path string, value any, depth int, see func(path string, number json.Number)) {
	if depth > maxDepth {
		return
	}
	switch v := value.(type) {
	case json.Number:
		see(path, v)
	case map[string]any:
		for name, inner := range v {
			walkNumbers(path+"/"+schema.Token(name), inner, depth+1, see)
		}
	case []any:
		for i, inner := range v[:min(len(v), maxItems)] {
			walkNumbers(path+"/"+strconv.Itoa(i), inner, depth+1, see)
		}
	}
}
