// Package frontend is the endpoint of the gateway for clients: several servers as one.
package frontend
