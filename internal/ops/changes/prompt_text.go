package changes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Bounds for the texts of prompts, so that no server can delay a comparison or fill a lock file.
const (
	maxTexts     = 100
	maxTextSize  = 64 << 10
	textsTimeout = 15 * time.Second // for all of them
)

// readTexts reads the texts of all prompts of a surface, each twice. A text that cannot be read is noted: it is not an
// error.
func readTexts(ctx context.Context, w *workbench.Workbench, s *mcp.Session, into *change.Surface) {
	into.Texts, into.Unread = map[string]change.PromptText{}, map[string]string{}
	ctx, cancel := context.WithTimeout(ctx, textsTimeout)
	defer cancel()
	for i, raw := range into.Prompts {
		name := entryKey(raw)
		if _, duplicate := into.Texts[name]; duplicate {
			continue
		}
		if i >= maxTexts {
			into.Unread[name] = fmt.Sprintf("only the texts of %d prompts are read", maxTexts)
			continue
		}
		if why := (safety.Permit{}).Prompt(raw); why != "" {
			into.Unread[name] = "it may execute something: " + why
			continue
		}
		text, err := readText(ctx, w, s, raw, name)
		if err != nil {
			into.Unread[name] = clip.Sized(err.Error(), 200)
			continue
		}
		into.Texts[name] = *text
	}
}

// readText reads the text of a prompt twice.
func readText(ctx context.Context, w *workbench.Workbench, s *mcp.Session, raw json.RawMessage,
	name string) (*change.PromptText, error) {
	text := &change.PromptText{Arguments: placeholders(raw)}
	var err error
	if text.Result, err = getPrompt(ctx, w, s, name, text.Arguments); err != nil {
		return nil, err
	}
	again, err := getPrompt(ctx, w, s, name, text.Arguments)
	now := time.Now()
	switch {
	case err != nil:
		return nil, err
	case !bytes.Equal(text.Result, again):
		text.Unstable = "it differs from request to request"
	case len(text.Result) > maxTextSize:
		text.Unstable = fmt.Sprintf("it is larger than %d KB", maxTextSize>>10)
	case contains(text.Result, now.Format(time.DateOnly), now.UTC().Format(time.DateOnly)):
		text.Unstable = "it contains the date of today"
	case contains(text.Result, w.System.Home, w.System.Dir):
		text.Unstable = "it contains a path of this machine"
	}
	return text, nil
}

func contains(text json.RawMessage, any ...string) bool {
	return slices.ContainsFunc(any, func(one string) bool {
		return len(one) > 1 && strings.Contains(string(text), one)
	})
}

// placeholders are the arguments that a prompt requires, each with its name as the value; nil if there are none. They
// are the same each time, so that the text is.
func placeholders(prompt json.RawMessage) json.RawMessage {
	list, _ := schema.Get(prompt, "/arguments")
	elements, _ := schema.Elements(list)
	values := map[string]string{}
	for _, element := range elements {
		required, _ := schema.Get(element, "/required")
		if name := schema.TextAt(element, "/name"); string(required) == "true" && name != "" {
			values[name] = name
		}
	}
	if len(values) == 0 {
		return nil
	}
	raw, _ := json.Marshal(values) // strings always marshal
	return raw
}

// errNoInput rejects what a server requests while it makes a text.
var errNoInput = errors.New("the text of a prompt is read without user input")

// getPrompt returns the messages and the description of a prompt, with sorted fields and without secrets.
func getPrompt(ctx context.Context, w *workbench.Workbench, s *mcp.Session, name string,
	arguments json.RawMessage) (json.RawMessage, error) {
	call := calls.Call{Method: calls.Prompt, Name: name, Arguments: arguments}
	request := call.Request(s)
	request.Input = func(context.Context, string, json.RawMessage) (json.RawMessage, error) { return nil, errNoInput }
	ex, err := s.Do(ctx, request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("no response to prompts/get within %v", textsTimeout)
	case err != nil:
		return nil, fmt.Errorf("no response to prompts/get: %w", err)
	case ex.Reply.Error != nil:
		return nil, fmt.Errorf("the server rejected prompts/get: %w", ex.Reply.Error)
	}
	var result struct {
		Description string `json:"description,omitempty"`
		Messages    []any  `json:"messages"`
	}
	decoder := json.NewDecoder(bytes.NewReader(ex.Reply.Result))
	decoder.UseNumber()
	if err := decoder.Decode(&result); err != nil || result.Messages == nil {
		return nil, errors.New("the response to prompts/get has no messages")
	}
	result.Description = withoutSecrets(w, result.Description)
	for i := range result.Messages {
		result.Messages[i] = valueWithoutSecrets(w, result.Messages[i])
	}
	return encodePlain(result)
}

func valueWithoutSecrets(w *workbench.Workbench, value any) any {
	switch value := value.(type) {
	case string:
		return withoutSecrets(w, value)
	case map[string]any:
		for name, inner := range value {
			value[name] = valueWithoutSecrets(w, inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = valueWithoutSecrets(w, inner)
		}
	}
	return value
}

// encodePlain writes JSON without escapes for HTML.
func encodePlain(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(out.Bytes()), err
}

// A lockPrompt is what prompts/get returned for the placeholders of the required arguments.
type lockPrompt struct {
	Hash      string          `json:"hash"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Result    json.RawMessage `json:"result"`
}

// addTexts adds the texts of prompts to their entries. A text that is not what was approved needs a new approval, and
// one that could not be read stays as it was recorded.
func addTexts(entries map[string]lockEntry, now *change.Surface, known map[string]lockEntry, approval lockApproval) {
	for name, entry := range entries {
		old := known[name]
		text, read := now.Texts[name]
		switch {
		case read && text.Unstable == "":
			entry.Text = &lockPrompt{Hash: change.Hash(text.Result), Arguments: text.Arguments, Result: text.Result}
		case read: // it changes, so that there is nothing to compare with
		default:
			entry.Text = old.Text
		}
		if entry.Text.hash() != old.Text.hash() {
			entry.Approved = approval
		}
		entries[name] = entry
	}
}

func (p *lockPrompt) hash() string {
	if p == nil {
		return ""
	}
	return p.Hash
}

// texts are the recorded texts of prompts.
func texts(entries map[string]lockEntry, includes func(lockApproval) bool) (map[string]change.PromptText,
	map[string]string) {
	read, unread := map[string]change.PromptText{}, map[string]string{}
	for name, entry := range entries {
		switch {
		case !includes(entry.Approved):
		case entry.Text != nil:
			read[name] = change.PromptText{Arguments: entry.Text.Arguments, Result: entry.Text.Result}
		default:
			unread[name] = "it is not in the lock file"
		}
	}
	return read, unread
}

// textsNotLocked lists the prompts whose text is not recorded, and why.
func textsNotLocked(now *change.Surface) []string {
	var all []string
	for _, raw := range now.Prompts {
		name := entryKey(raw)
		if why := cmp.Or(now.Unread[name], now.Texts[name].Unstable); why != "" {
			all = append(all, fmt.Sprintf("text of prompt %q: %s", name, why))
		}
	}
	return all
}
