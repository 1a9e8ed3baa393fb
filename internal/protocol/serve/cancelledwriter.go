package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// A cancelledWriter drops the response to a request that was cancelled before its handler ran: a cancelled request gets
// no response, but the SDK responds with the error of the context, without a code. MapErrors gives every other error a
// code. Each Write of the SDK is one event.
type cancelledWriter struct{ http.ResponseWriter }

// Unwrap implements the interface of http.ResponseController.
func (w cancelledWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write passes on every other event.
func (w cancelledWriter) Write(event []byte) (int, error) {
	if _, data, found := bytes.Cut(event, []byte("data: ")); found && isUncoded(bytes.TrimSpace(data)) {
		return len(event), nil
	}
	return w.ResponseWriter.Write(event)
}

// isUncoded reports whether a message is an error without a code.
func isUncoded(message []byte) bool {
	if !bytes.Contains(message, []byte(`"error":{"code":0,`)) { // as the SDK encodes it: large results are not decoded
		return false
	}
	var reply struct{ Error *Error }
	return json.Unmarshal(message, &reply) == nil && reply.Error != nil && reply.Error.Code == 0
}
