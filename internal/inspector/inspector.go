// Package inspector is what the page stands on: the servers that a person can connect to, connections that stay open
// with their calls, frames and questions, and what is told of all this as it happens. It knows nothing of HTTP.
//
// What a server or a person wrote as JSON travels as text in fields whose names end in JSON, so that no parser on the way
// can round a number or reorder a key.
package inspector
