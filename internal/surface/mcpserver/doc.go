// Package mcpserver runs mcptest as an MCP server: tools with which an assistant connects to other servers,
// uses all of their features, and sees exactly what they returned.
//
// The nine tools that manage a connection and use tools, resources and prompts return fixed envelopes that
// other programs rely on. A model reads all definitions and results, so tests limit their length. The other
// tools are for
// testing: they show frames, send any message, and check schemas. Every operation of the workbench that allows
// assistants and has a tool name becomes a tool here automatically.
package mcpserver
