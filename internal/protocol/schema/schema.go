// Package schema reads, checks and edits the JSON Schemas of tools.
//
// A schema here comes from a stranger. It is kept as the bytes that came, it is never allowed to reach the network,
// and every operation on it has a bound that is known before the work begins. What a schema or a value does wrong is
// data ([Violation], [CompileError]), not a surprise.
package schema
