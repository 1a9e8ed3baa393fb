package spec

import (
	"encoding/json"
	"slices"
)

// Validate validates a request or a notification of a side against the tables of the revision. A method that the
// revision does not have is a violation.
func (r Revision) Validate(from Side, message json.RawMessage) []Violation {
	var head struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	_ = json.Unmarshal(message, &head)
	envelope := "Notification"
	if head.ID != nil {
		envelope = "Request"
	}
	found := r.validateAs(&typ{shape: envelope}, message)
	if len(found) > 0 {
		return found
	}
	m, ok := r.Method(from, head.Method)
	switch {
	case !ok:
		return []Violation{{"/method", "found " + show(json.RawMessage(`"`+head.Method+`"`)) +
			", expected a method that " + sideName(from) + " of " + r.ID + " may send"}}
	case m.Notification && head.ID != nil:
		return []Violation{{"/id", "found " + show(head.ID) + ", expected none: " + m.Name + " is a notification"}}
	case !m.Notification && head.ID == nil:
		return []Violation{{"/id", "found nothing, expected an id: " + m.Name + " is a request"}}
	}
	params := head.Params
	if params == nil {
		params = json.RawMessage("{}")
	}
	return under("/params", r.validateAs(&typ{shape: m.params}, params))
}

// ValidateResponse validates a response to a request of a side, the whole message, against the tables of the
// revision. For a method that the revision does not have, only the envelope is validated.
func (r Revision) ValidateResponse(from Side, method string, message json.RawMessage) []Violation {
	var head struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	_ = json.Unmarshal(message, &head)
	if head.Error != nil {
		found := r.validateAs(&typ{shape: "Refusal"}, message)
		if head.Result != nil {
			found = append(found, Violation{"/result", "found both a result and an error, expected one of them"})
		}
		return append(found, under("/error/data", r.validateData(head.Error))...)
	}
	if found := r.validateAs(&typ{shape: "Answer"}, message); len(found) > 0 {
		return found
	}
	return under("/result", r.ValidateResult(from, method, head.Result))
}

// ValidateResult validates the result of a request of a side.
func (r Revision) ValidateResult(from Side, method string, result json.RawMessage) []Violation {
	m, ok := r.Method(from, method)
	if !ok {
		return r.validateAs(&typ{shape: "Result"}, result)
	}
	return r.validateAs(r.resultOf(m, result), result)
}

// resultOf returns the type of a result, which in some revisions depends on its resultType.
func (r Revision) resultOf(m Method, result json.RawMessage) *typ {
	var head struct {
		ResultType json.RawMessage `json:"resultType"`
		Task       json.RawMessage `json:"task"`
		Content    json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(result, &head)
	modern := r.ID >= "2026-07-28"
	switch {
	case modern && slices.Contains(Interruptible(), m.Name) && string(head.ResultType) == `"input_required"`:
		return &typ{shape: "InputRequired"}
	case modern && m.Name == "tools/call" && string(head.ResultType) == `"task"`:
		return &typ{shape: "ExtensionTaskResult"}
	case r.ID == "2025-11-25" && head.Task != nil && head.Content == nil &&
		(m.Name == "tools/call" || m.From[0] == Server):
		return &typ{shape: "CreateTaskResult"}
	}
	return &typ{shape: m.result}
}

// Interruptible lists the methods that a server may answer with input_required from 2026-07-28 on.
func Interruptible() []string { return []string{"tools/call", "prompts/get", "resources/read"} }

// validateData validates the data of errors that have a shape for it.
func (r Revision) validateData(raw json.RawMessage) []Violation {
	var e struct {
		Code int             `json:"code"`
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return nil
	}
	name := map[int]string{-32022: "UnsupportedVersion", -32021: "MissingCapability",
		-32042: "URLElicitationRequired"}[e.Code]
	if name == "" || shapes()[r.ID][name] == nil {
		return nil
	}
	if e.Data == nil {
		return []Violation{{"", "found nothing, expected an object (" + name + ")"}}
	}
	return r.validateAs(&typ{shape: name}, e.Data)
}

func under(prefix string, found []Violation) []Violation {
	for i := range found {
		found[i].Pointer = prefix + found[i].Pointer
	}
	return found
}

func sideName(s Side) string {
	if s == Server {
		return "a server"
	}
	return "a client"
}
