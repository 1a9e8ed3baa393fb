package httpapi

import "github.com/mcptest-dev/mcptest/internal/view"

// A Failure is the body of every error response.
type Failure struct {
	Error view.Problem `json:"error"`
}

// An ImportInput contains the text of a config file.
type ImportInput struct {
	Name string `json:"name,omitempty"` // of the file, for messages
	Text string `json:"text"`
}

// A Text is a text to be saved or copied.
type Text struct {
	Text string `json:"text"`
}

// An ApprovalInput identifies what the user approved.
type ApprovalInput struct {
	Hash string `json:"hash"`
}

// A SubscriptionInput names a resource.
type SubscriptionInput struct {
	URI string `json:"uri"`
}
