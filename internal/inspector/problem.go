package inspector

// A Problem is why something could not be done: what happened, why, and what to try next.
type Problem struct {
	Kind    string    `json:"kind"` // usage, not_found, approval, unreachable, timeout, cancelled, closed, auth or bug
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
	Cause   string    `json:"cause,omitempty"`  // what the system said: refused, no such host, a certificate, an exit status
	Stderr  string    `json:"stderr,omitempty"` // the last words of a process
	Status  int       `json:"status,omitempty"` // of an HTTP answer that ended it
	RPC     *RPCError `json:"rpc,omitempty"`    // what the server refused with

	// Challenge is the WWW-Authenticate header of an answer that asks for authorization.
	Challenge string `json:"challenge,omitempty"`
	// Approval is what has to be approved before it can be started.
	Approval *Approval `json:"approval,omitempty"`
	// Examination says what is wrong with arguments that were held back.
	Examination *Examination `json:"examination,omitempty"`
}

// An RPCError is a server's own error.
type RPCError struct {
	Code     string `json:"code"` // the number as it came
	Meaning  string `json:"meaning,omitempty"`
	Message  string `json:"message"`
	DataJSON string `json:"data_json,omitempty"`
}
