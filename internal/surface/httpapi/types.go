package httpapi

import "github.com/mcptest-dev/mcptest/internal/inspector"

// A Failure is the body of every answer that is no success.
type Failure struct {
	Error inspector.Problem `json:"error"`
}

// An ImportInput holds the text of a config file.
type ImportInput struct {
	Name string `json:"name,omitempty"` // of the file, for messages
	Text string `json:"text"`
}

// A Text is a text to be saved or copied.
type Text struct {
	Text string `json:"text"`
}

// An ApprovalInput names what a person agreed to.
type ApprovalInput struct {
	Hash string `json:"hash"`
}

// A SubscriptionInput names a resource.
type SubscriptionInput struct {
	URI string `json:"uri"`
}
