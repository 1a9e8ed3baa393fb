// Package mcpserver is mcptest as an MCP server: tools by which an assistant connects to other servers, uses all that
// they offer, and sees exactly what they answered.
//
// The nine tools that manage a connection and use tools, resources and prompts answer in fixed envelopes that other
// programs rely on. Nothing in them is summarised unless the caller asks for it. The further tools belong to people who
// test: they show frames, send anything, and judge schemas. Every operation of the workbench that allows assistants and
// has a tool name is a tool here by itself.
package mcpserver
