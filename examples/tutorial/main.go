// Command tutorial is shelf, the small MCP server of docs/tutorials/go.md: a shelf of books to search and to rate, over
// standard input and output. It needs the standard library alone, and has three bugs on purpose.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A book is one on the shelf, with the ratings that it was given.
type book struct {
	Title   string `json:"title"`
	Author  string `json:"author"`
	Year    int    `json:"year"`
	ratings []string
}

// ratings are what one to five stars mean.
var ratings = []string{"poor", "fair", "good", "very good", "excellent"}

const tools = `[
  {
    "name": "find_books",
    "description": "Finds books on the shelf by a part of their title or author, in upper or lower case. Returns at most limit books, the first on the shelf first.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": 100, "description": "A part of the title or of the author's name, such as sea"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many books to return at most; the default is 10"}
      },
      "required": ["query"],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {
        "books": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {"title": {"type": "string"}, "author": {"type": "string"}, "year": {"type": "integer"}},
            "required": ["title", "author", "year"]
          }
        }
      },
      "required": ["books"]
    },
    "annotations": {"title": "Find books", "readOnlyHint": true, "openWorldHint": false}
  },
  {
    "name": "rate_book",
    "description": "Adds a rating of one to five stars to a book on the shelf, and returns all ratings of the book in words.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "title": {"type": "string", "minLength": 1, "maxLength": 100, "description": "The exact title of the book, as find_books returns it"},
        "stars": {"type": "integer", "minimum": 1, "maximum": 5, "description": "How good the book is: 1 is poor, 5 is excellent"}
      },
      "required": ["title", "stars"],
      "additionalProperties": false
    },
    "annotations": {"title": "Rate a book", "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false, "openWorldHint": false}
  }
]`

func main() {
	s := &server{shelf: []book{
		{Title: "The Sea, the Sea", Author: "Iris Murdoch", Year: 1978},
		{Title: "The Old Man and the Sea", Author: "Ernest Hemingway", Year: 1952},
		{Title: "The Left Hand of Darkness", Author: "Ursula K. Le Guin", Year: 1969},
		{Title: "Middlemarch", Author: "George Eliot", Year: 1871},
	}}
	fmt.Println("shelf: ready,", len(s.shelf), "books")
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if answer := s.answer(bytes.TrimSpace(line)); answer != nil {
			text, _ := json.Marshal(answer)
			fmt.Printf("%s\n", text)
		}
		if err != nil {
			return
		}
	}
}

// A server has a shelf, and knows whether its client has introduced itself.
type server struct {
	shelf []book
	known bool
}

// An object is a JSON object in the making.
type object map[string]any

// A failure is an error of JSON-RPC.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// answer returns what to say to a message, or nil if there is nothing to say.
func (s *server) answer(line []byte) object {
	if len(line) == 0 {
		return nil
	}
	if !json.Valid(line) {
		return object{"jsonrpc": "2.0", "id": nil, "error": failure{-32700, "invalid JSON"}}
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" || m.Method == "" ||
		bytes.ContainsAny(m.ID[:min(1, len(m.ID))], "{[tfn") {
		return object{"jsonrpc": "2.0", "id": nil, "error": failure{-32600, "not a JSON-RPC 2.0 request"}}
	}
	if m.ID == nil { // a notification
		return nil
	}
	result, fail := s.serve(m.Method, m.Params)
	if fail != nil {
		return object{"jsonrpc": "2.0", "id": m.ID, "error": fail}
	}
	return object{"jsonrpc": "2.0", "id": m.ID, "result": result}
}

func (s *server) serve(method string, params json.RawMessage) (any, *failure) {
	members := map[string]json.RawMessage{}
	if params != nil && json.Unmarshal(params, &members) != nil {
		return nil, &failure{-32602, "params must be an object"}
	}
	switch {
	case method == "ping":
		return object{}, nil
	case method == "initialize":
		if members["protocolVersion"] == nil || members["capabilities"] == nil || members["clientInfo"] == nil {
			return nil, &failure{-32602, "initialize needs protocolVersion, capabilities and clientInfo"}
		}
		s.known = true
		return object{"protocolVersion": "2025-11-25", "capabilities": object{"tools": object{}},
			"serverInfo": object{"name": "shelf", "version": "0.1.0"}}, nil
	case !s.known:
		return nil, &failure{-32600, "initialize comes first"}
	case method == "tools/list" && members["cursor"] != nil:
		return nil, &failure{-32602, "there is one page; this cursor leads nowhere"}
	case method == "tools/list":
		return object{"tools": json.RawMessage(tools)}, nil
	case method == "tools/call":
		return s.call(members)
	}
	return nil, &failure{-32601, "there is no method " + method}
}

func (s *server) call(params map[string]json.RawMessage) (any, *failure) {
	var result any
	var err error
	switch string(params["name"]) {
	case `"find_books"`:
		result, err = s.findBooks(params["arguments"])
	case `"rate_book"`:
		result, err = s.rateBook(params["arguments"])
	default:
		return nil, &failure{-32602, "there is no such tool"}
	}
	if err != nil {
		return object{"content": []object{{"type": "text", "text": err.Error()}}, "isError": true}, nil
	}
	text, _ := json.Marshal(result)
	return object{"content": []object{{"type": "text", "text": string(text)}}, "structuredContent": result}, nil
}

func (s *server) findBooks(raw json.RawMessage) (any, error) {
	var args struct {
		Query string `json:"query"`
		Limit int    `json:"limit"`
	}
	given, err := read(raw, &args, "query", "limit")
	if err != nil {
		return nil, err
	}
	if args.Query == "" || len([]rune(args.Query)) > 100 {
		return nil, errors.New("query needs 1 to 100 characters")
	}
	if given["limit"] && (args.Limit < 1 || args.Limit > 50) {
		return nil, errors.New("limit goes from 1 to 50")
	}
	found := []book{}
	for _, b := range s.shelf {
		if len(found) < args.Limit && strings.Contains(strings.ToLower(b.Title+"\n"+b.Author),
			strings.ToLower(args.Query)) {
			found = append(found, b)
		}
	}
	return object{"books": found}, nil
}

func (s *server) rateBook(raw json.RawMessage) (any, error) {
	var args struct {
		Title string `json:"title"`
		Stars int    `json:"stars"`
	}
	if _, err := read(raw, &args, "title", "stars"); err != nil {
		return nil, err
	}
	rating := ratings[args.Stars-1]
	for i := range s.shelf {
		if b := &s.shelf[i]; b.Title == args.Title {
			b.ratings = append(b.ratings, rating)
			return object{"title": b.Title, "ratings": b.ratings}, nil
		}
	}
	return nil, fmt.Errorf("unknown book %q: find_books lists the titles", args.Title)
}

// read reads arguments strictly: an object with members of these names alone, each of its type. It returns which were
// given.
func read(raw json.RawMessage, into any, names ...string) (given map[string]bool, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || members == nil {
		return nil, errors.New("arguments must be an object")
	}
	given = map[string]bool{}
	for name, value := range members {
		if !slices.Contains(names, name) || string(value) == "null" {
			return nil, fmt.Errorf("%s: %s is not what the schema has", name, value)
		}
		given[name] = true
	}
	return given, json.Unmarshal(raw, into)
}
