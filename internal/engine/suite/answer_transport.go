package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// allNotifications lists the notifications that arrived while the call was in flight, in order: method and params.
func (a *callOutcome) allNotifications() json.RawMessage {
	if a.exchange == nil {
		return nil
	}
	out := []byte{'['}
	for _, m := range a.exchange.Between {
		if !m.IsNotification() {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"method":%s`, quoted(m.Method))
		if len(m.Params) > 0 {
			out = fmt.Appendf(out, `,"params":%s`, m.Params)
		}
		out = append(out, '}')
	}
	return append(out, ']')
}

// http is the status and the headers of the HTTP response, with names in lower case; nil if the call was not made over
// HTTP.
func (a *callOutcome) http() json.RawMessage {
	if a.exchange == nil || a.exchange.Status == 0 {
		return nil
	}
	headers := map[string]string{}
	for name, values := range a.exchange.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	raw, _ := json.Marshal(struct { // plain data always marshals
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	}{a.exchange.Status, headers})
	return raw
}

// negotiated is what is known about the session. Whoever has its ID can use the session, so that tests get a fingerprint,
// which shows whether it is the same session.
func (a *callOutcome) negotiated() json.RawMessage {
	if a.session == nil {
		return nil
	}
	id := ""
	if a.session.ID() != "" {
		sum := sha256.Sum256([]byte(a.session.ID()))
		id = hex.EncodeToString(sum[:4])
	}
	raw, err := json.Marshal(struct {
		Protocol     string          `json:"protocol"`
		ID           string          `json:"id"`
		Server       json.RawMessage `json:"server,omitempty"`
		Capabilities json.RawMessage `json:"capabilities,omitempty"`
		Instructions string          `json:"instructions"`
	}{a.session.Version, id, a.session.Server, a.session.Capabilities, a.session.Instructions})
	if err != nil {
		return nil
	}
	return raw
}
