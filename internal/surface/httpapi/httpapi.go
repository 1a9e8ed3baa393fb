// Package httpapi shows the inspector to a page: routes, streams of events, and the guard around them.
package httpapi

//go:generate go run ../../../tools/tsgen
