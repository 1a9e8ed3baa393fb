// Package front is the endpoint that clients of the gateway see: many servers as one.
package front
