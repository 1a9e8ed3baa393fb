package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// FromJSON reads a JSON text. Unlike Parse it accepts every JSON text, and its nodes have no location.
func FromJSON(text []byte) (*Node, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%d bytes, expected at most %d", len(text), maxBytes)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := jsonNode(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the JSON value")
	}
	return n, nil
}

func jsonNode(d *json.Decoder, depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested more than %d levels deep", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case string:
		return &Node{Kind: String, Text: v}, nil
	case json.Number:
		return &Node{Kind: Number, Text: v.String()}, nil
	case bool:
		return &Node{Kind: Bool, Text: fmt.Sprint(v)}, nil
	case json.Delim:
		return jsonChildren(d, v, depth)
	}
	return &Node{Kind: Null, Text: "null"}, nil
}

// jsonChildren reads a list or a mapping after its opening delimiter.
func jsonChildren(d *json.Decoder, open json.Delim, depth int) (*Node, error) {
	n := &Node{Kind: List}
	if open == '{' {
		n.Kind = Map
	}
	for d.More() {
		key := ""
		if open == '{' {
			token, err := d.Token()
			if err != nil {
				return nil, err
			}
			key, _ = token.(string) // a key is always a string
		}
		value, err := jsonNode(d, depth+1)
		if err != nil {
			return nil, err
		}
		if open == '{' {
			n.Pairs = append(n.Pairs, Pair{Key: key, Value: value})
		} else {
			n.Items = append(n.Items, value)
		}
	}
	_, err := d.Token() // the closing delimiter
	return n, err
}
