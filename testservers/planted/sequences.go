package planted

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"unicode/utf8"
)

// The memory leaked per call, and per call of a slow leak.
const (
	leakedBlock = 1 << 20
	smallBlock  = 160 << 10
)

func growths() []Creature {
	return []Creature{
		{Name: "open files grow", input: free, Rule: "FUZZ-010", Smallest: `{"name":""} x240`,
			work: func(s *server, _ json.RawMessage) string {
				f, err := os.Open(os.DevNull)
				if err != nil {
					return s.failed("no more files")
				}
				s.files = append(s.files, f)
				return fine
			}},
		{Name: "processes grow", input: free, Rule: "FUZZ-010", Smallest: `{"name":""} x240`,
			work: func(s *server, _ json.RawMessage) string {
				if s.calls%10 == 0 { // a tenth of the calls, so that few are enough for a test
					_ = exec.Command("sleep", "30").Start()
				}
				return fine
			}},
		{Name: "memory grows", input: free, Rule: "FUZZ-010", Smallest: `{"name":""} x240`, work: leak(leakedBlock)},
		{Name: "memory grows slowly", input: free, Rule: "FUZZ-010", Smallest: `{"name":""} x240`,
			work: leak(smallBlock)},
	}
}

// leak leaks a block of memory with each call.
func leak(size int) func(*server, json.RawMessage) string {
	return func(s *server, _ json.RawMessage) string {
		block := make([]byte, size)
		for i := 0; i < len(block); i += os.Getpagesize() {
			block[i] = 1 // only written pages take memory
		}
		s.blocks = append(s.blocks, block)
		return fine
	}
}

func sequences() []Creature {
	return []Creature{
		{Name: "broken after a failed call", input: free, Rule: "FUZZ-025",
			Smallest: `{"name":"é"} then {"name":""}`,
			work: func(s *server, a json.RawMessage) string {
				if s.memory["broken"] != "" {
					return s.failed("the transaction is aborted")
				}
				if strings.IndexFunc(text(a, "name"), func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
					s.memory["broken"] = "yes"
					return s.failed("the name must be ASCII")
				}
				return fine
			}},
		{Name: "keeps connections", input: free, Rule: "FUZZ-025", Smallest: `{"name":""} x31`,
			work: func(s *server, _ json.RawMessage) string {
				s.memory["connections"] += "."
				if len(s.memory["connections"]) > 30 {
					return s.failed("no connection is free")
				}
				return fine
			}},
		{Name: "keeps connections of failed calls", input: free, Rule: "FUZZ-025", Smallest: `{"name":""} x31`,
			work: func(s *server, _ json.RawMessage) string {
				s.memory["connections"] += "."
				if len(s.memory["connections"]) > 30 {
					return s.failed("no connection is free")
				}
				return s.failed("nothing has this name")
			}},
		{Name: "caches the text", input: object(`"sku":{"type":"string","enum":["A-1","A-2"]}`, `"sku"`), Rule: "FUZZ-029",
			Smallest: `{"sku":"A-2"} then {"sku":"A-1"}`,
			work: func(s *server, a json.RawMessage) string {
				data := `{"sku":` + quoted(text(a, "sku")) + `,"on_hand":3}`
				if s.memory["text"] == "" {
					s.memory["text"] = data
				}
				return `{"content":[{"type":"text","text":` + quoted(s.memory["text"]) + `}],"structuredContent":` + data + `}`
			}},
		{Name: "crash after a certain first call", input: free, Stateful: true, Rule: "FUZZ-001",
			Smallest: `{"name":"passwd"} then {"name":"","note":""}`,
			work: func(s *server, a json.RawMessage) string {
				if s.memory["armed"] != "" && has(a, "note") {
					return die()
				}
				if strings.Contains(text(a, "name"), "passwd") {
					s.memory["armed"] = "yes"
				}
				return fine
			}},
		{Name: "crash on an ID that it returned", input: free, Stateful: true, Rule: "FUZZ-001",
			Smallest: `{"name":"ticket-42"}`,
			work: func(_ *server, a json.RawMessage) string {
				if text(a, "name") == "ticket-42" {
					return die()
				}
				return `{"content":[{"type":"text","text":"made ticket-42"}]}`
			}},
		{Name: "mismatch after some calls", input: free, output: object(`"n":{"type":"integer","maximum":30}`, `"n"`),
			Rule: "FUZZ-006", Smallest: `{"name":""} x31`,
			work: func(s *server, _ json.RawMessage) string {
				return fmt.Sprintf(`{"content":[{"type":"text","text":"x"}],"structuredContent":{"n":%d}}`, s.calls)
			}},
		{Name: "crashes after a cancellation", input: free, Stateful: true, Rule: "FUZZ-001", Smallest: `cancelled {}`,
			work: well,
			frame: func(_ *server, line []byte) bool {
				if strings.Contains(string(line), "notifications/cancelled") {
					die()
				}
				return false
			}},
	}
}

func frames() []Creature {
	return []Creature{
		{Name: "crashes on invalid JSON", input: short, Wire: true, Rule: "FUZZ-012", Smallest: `"hello"`, work: well,
			frame: func(_ *server, line []byte) bool {
				if !json.Valid(line) && strings.TrimSpace(string(line)) != "" {
					die()
				}
				return false
			}},
		{Name: "crashes on a batch", input: short, Wire: true, Rule: "FUZZ-012", Smallest: `"[]"`, work: well,
			frame: func(_ *server, line []byte) bool {
				if len(line) > 0 && line[0] == '[' {
					die()
				}
				return false
			}},
	}
}
