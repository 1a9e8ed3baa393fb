package suite

import (
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
