// Package schema reads, checks and edits the JSON Schemas of tools.
//
// Schemas are untrusted input. A schema is kept byte for byte, never causes network access, and every operation
// on it has a cost limit that is known in advance. Problems of a schema or a value are data ([Violation],
// [CompileError]).
package schema
