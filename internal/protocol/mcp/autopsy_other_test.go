//go:build !linux

package mcp

func inPipes(int) string { return "" }

func threads(int) string { return "" }
