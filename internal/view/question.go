package view

import (
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
)

// A Question is a request from the server that must be answered before it continues.
type Question struct {
	ID         string    `json:"id"`
	Call       int       `json:"call,omitempty"` // the call that waits for it, if known
	Method     string    `json:"method"`         // elicitation/create or sampling/createMessage
	Asked      time.Time `json:"asked"`
	Message    string    `json:"message,omitempty"`
	ParamsJSON string    `json:"params_json"`

	// Of an elicitation.
	Mode       string           `json:"mode,omitempty"`        // form or url
	URL        string           `json:"url,omitempty"`         // complete
	URLHost    string           `json:"url_host,omitempty"`    // the part to verify
	URLProblem string           `json:"url_problem,omitempty"` // why it must not be opened
	Form       *arguments.Form  `json:"form,omitempty"`
	Start      *arguments.Value `json:"start,omitempty"`
	SchemaJSON string           `json:"schema_json,omitempty"`

	// Of sampling.
	Messages     []PromptMessage `json:"messages,omitempty"`
	SystemPrompt string          `json:"system_prompt,omitempty"`
	MaxTokens    string          `json:"max_tokens,omitempty"`
}

// An Answer is the user's answer to a question.
type Answer struct {
	Question string `json:"question"`
	Action   string `json:"action"` // accept, decline or cancel; for sampling, accept responds and the others decline

	// Of an elicitation: the content, in the form or as JSON.
	Value       *arguments.Value `json:"value,omitempty"`
	ContentJSON *string          `json:"content_json,omitempty"`

	// Of sampling.
	Text       string `json:"text,omitempty"`
	Model      string `json:"model,omitempty"`
	StopReason string `json:"stop_reason,omitempty"`

	ResultJSON string `json:"result_json,omitempty"` // the whole result, sent unchanged, instead of the others
	Anyway     bool   `json:"anyway,omitempty"`      // send content that the schema forbids
}
