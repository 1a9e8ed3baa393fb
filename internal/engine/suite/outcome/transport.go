package outcome

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
)

// allNotifications lists the notifications that arrived while the call was in flight, in order: method and params.
func (a *Outcome) allNotifications() json.RawMessage {
	if a.Exchange == nil {
		return nil
	}
	out := []byte{'['}
	for _, m := range a.Exchange.Between {
		if !m.IsNotification() {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"method":%s`, variables.Quoted(m.Method))
		if len(m.Params) > 0 {
			out = fmt.Appendf(out, `,"params":%s`, m.Params)
		}
		out = append(out, '}')
	}
	return append(out, ']')
}

// http is the status and the headers of the HTTP response, with names in lower case; nil if the call was not made over
// HTTP.
func (a *Outcome) http() json.RawMessage {
	if a.Exchange == nil || a.Exchange.Status == 0 {
		return nil
	}
	headers := map[string]string{}
	for name, values := range a.Exchange.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	raw, _ := json.Marshal(struct { // plain data always marshals
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	}{a.Exchange.Status, headers})
	return raw
}

// negotiated is what is known about the session. Whoever has its ID can use the session, so that tests get a fingerprint,
// which shows whether it is the same session.
func (a *Outcome) negotiated() json.RawMessage {
	if a.Session == nil {
		return nil
	}
	id := ""
	if a.Session.ID() != "" {
		sum := sha256.Sum256([]byte(a.Session.ID()))
		id = hex.EncodeToString(sum[:4])
	}
	raw, err := json.Marshal(struct {
		Protocol     string          `json:"protocol"`
		ID           string          `json:"id"`
		Server       json.RawMessage `json:"server,omitempty"`
		Capabilities json.RawMessage `json:"capabilities,omitempty"`
		Instructions string          `json:"instructions"`
	}{a.Session.Version, id, a.Session.Server, a.Session.Capabilities, a.Session.Instructions})
	if err != nil {
		return nil
	}
	return raw
}
