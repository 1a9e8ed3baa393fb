package view

import (
	"encoding/base64"
	"encoding/json"
	"mime"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// ContentOf prepares a list of blocks for display.
func ContentOf(list json.RawMessage) []Content {
	blocks, _ := schema.Elements(list)
	all := make([]Content, 0, len(blocks))
	room := 8 * Inline
	for n, block := range blocks {
		c := blockOf(block)
		c.Index = n
		if room -= len(c.Text) + len(c.RawJSON); room < 0 {
			c.Text, c.RawJSON, c.Fetch = "", "", true
		}
		all = append(all, c)
	}
	return all
}

// ContentsOf prepares the contents of a resource for display.
func ContentsOf(list json.RawMessage) []Content {
	items, _ := schema.Elements(list)
	all := make([]Content, 0, len(items))
	for n, item := range items {
		c := resourceOf(item)
		if c.Problem != "" {
			c = asItCame(c, item)
		}
		c.Index = n
		all = append(all, c)
	}
	return all
}

// blockOf prepares one content block.
func blockOf(block json.RawMessage) Content {
	c := Content{Kind: "other", Mime: schema.TextAt(block, "/mimeType")}
	switch kind := schema.TextAt(block, "/type"); kind {
	case "text":
		c = textContent(schema.TextAt(block, "/text"), "")
	case "image", "audio":
		c = binaryContent(kind, schema.TextAt(block, "/mimeType"), schema.TextAt(block, "/data"))
	case "resource":
		resource, _ := schema.Get(block, "/resource")
		c = resourceOf(resource)
	case "resource_link":
		c = Content{Kind: "link", Mime: c.Mime, URI: schema.TextAt(block, "/uri"), Name: schema.TextAt(block, "/name"),
			Title: schema.TextAt(block, "/title"), Description: schema.TextAt(block, "/description")}
	default:
		c.Problem = "Content type not defined by the protocol: " + strconv.Quote(clip.Text(kind, 40)) + "."
		c.Size = len(block)
	}
	annotations, _ := schema.Get(block, "/annotations")
	c.AnnotationsJSON = IndentSmall(annotations)
	if c.Kind == "other" || c.Kind == "link" || c.Problem != "" {
		c = asItCame(c, block)
	}
	return c
}

// asItCame shows a block as JSON, or makes it available for download if it is too large.
func asItCame(c Content, block json.RawMessage) Content {
	c.RawJSON = IndentSmall(block)
	c.Fetch = c.RawJSON == ""
	return c
}

func resourceOf(resource json.RawMessage) Content {
	var c Content
	kind := schema.TextAt(resource, "/mimeType")
	if raw, ok := schema.Get(resource, "/text"); ok {
		text, _ := schema.Text(raw)
		c = textContent(text, kind)
	} else {
		c = binaryContent("blob", kind, schema.TextAt(resource, "/blob"))
		if main, _, _ := strings.Cut(kind, "/"); main == "image" || main == "audio" {
			c.Kind = main
		}
	}
	if c.Kind == "text" || c.Kind == "blob" {
		c.Kind = "resource"
	}
	c.URI, c.Mime = schema.TextAt(resource, "/uri"), kind
	return c
}

func textContent(text, kind string) Content {
	c := Content{Kind: "text", Size: len(text), Format: formatOf(text, kind), Mime: kind}
	if len(text) > Inline {
		c.Fetch = true
		return c
	}
	c.Text = text
	return c
}

// formatOf guesses the display format of a text. It only selects the initial view.
func formatOf(text, kind string) string {
	trimmed := strings.TrimSpace(text)
	switch {
	case strings.Contains(kind, "json"), trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[') &&
		json.Valid([]byte(trimmed)):
		return "json"
	case strings.Contains(kind, "markdown"), kind == "" && looksMarked(trimmed):
		return "markdown"
	}
	return "plain"
}

// looksMarked reports whether lines of a text start with Markdown syntax.
func looksMarked(text string) bool {
	marks := 0
	for line := range strings.SplitSeq(clip.Text(text, 8<<10), "\n") {
		for _, mark := range []string{"# ", "## ", "### ", "- ", "* ", "1. ", "```", "> ", "| "} {
			if strings.HasPrefix(strings.TrimSpace(line), mark) {
				marks++
			}
		}
	}
	return marks > 1 || strings.HasPrefix(text, "# ") || strings.Contains(text, "**") && strings.Count(text, "**") > 1
}

func binaryContent(kind, mimeType, data string) Content {
	c := Content{Kind: kind, Mime: mimeType, Fetch: true}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil {
		c.Problem, c.Fetch, c.Size = "The data of this "+kind+" is not valid base64.", false, len(data)
		return c
	}
	c.Size = base64.StdEncoding.DecodedLen(len(data)) - strings.Count(data[max(0, len(data)-2):], "=")
	c.Safe = safeType(mimeType) != ""
	return c
}

// safeType returns the type under which bytes of a server may be shown; empty for types that can contain
// scripts or links.
func safeType(mimeType string) string {
	kind, _, err := mime.ParseMediaType(mimeType)
	if err != nil {
		return ""
	}
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp",
		"audio/wav", "audio/x-wav", "audio/wave", "audio/mpeg", "audio/mp3", "audio/ogg", "audio/aac", "audio/flac",
		"audio/webm", "audio/mp4":
		return kind
	}
	return ""
}

// BlockBytes returns the decoded bytes of a block, and the type under which they may be shown.
func BlockBytes(block json.RawMessage) ([]byte, string) {
	if resource, ok := schema.Get(block, "/resource"); ok && schema.TextAt(block, "/type") == "resource" {
		block = resource
	}
	if raw, ok := schema.Get(block, "/text"); ok {
		text, _ := schema.Text(raw)
		return []byte(text), "text/plain; charset=utf-8"
	}
	for _, field := range []string{"/data", "/blob"} {
		if raw, ok := schema.Get(block, field); ok {
			text, _ := schema.Text(raw)
			content, err := base64.StdEncoding.DecodeString(text)
			if err == nil {
				return content, safeType(schema.TextAt(block, "/mimeType"))
			}
		}
	}
	return block, ""
}

// MessagesOf prepares messages for display. Their blocks are numbered consecutively, so that each can be
// fetched.
func MessagesOf(list json.RawMessage) []PromptMessage {
	items, _ := schema.Elements(list)
	all := make([]PromptMessage, 0, len(items))
	index := 0
	for _, item := range items {
		m := PromptMessage{Role: schema.TextAt(item, "/role"), Content: []Content{}}
		for _, block := range messageBlocks(item) {
			c := blockOf(block)
			c.Index = index
			m.Content = append(m.Content, c)
			index++
		}
		all = append(all, m)
	}
	return all
}

// messageBlocks returns the blocks of one message: one, or in newer revisions a list.
func messageBlocks(message json.RawMessage) []json.RawMessage {
	content, ok := schema.Get(message, "/content")
	if !ok {
		return nil
	}
	if blocks, err := schema.Elements(content); err == nil {
		return blocks
	}
	return []json.RawMessage{content}
}

// AllBlocks returns the blocks of a result in the order of their numbers.
func AllBlocks(result json.RawMessage) []json.RawMessage {
	for _, pointer := range []string{"/content", "/contents"} {
		if list, ok := schema.Get(result, pointer); ok {
			blocks, _ := schema.Elements(list)
			return blocks
		}
	}
	messages, _ := schema.Get(result, "/messages")
	items, _ := schema.Elements(messages)
	var all []json.RawMessage
	for _, item := range items {
		all = append(all, messageBlocks(item)...)
	}
	return all
}
