package matrix

import "path"

// A gap is a set of operations that fail, and why. A cell that passes where a gap is listed fails the test, so that the
// table stays true.
type gap struct {
	client, server, route, op string // patterns as in path.Match
	upstream                  string // the revision between the gateway and the server; "" is any
	got                       string // part of what the client gets
	slow                      bool   // it fails by a timeout, so that only a full run tries it
	reason                    string
}

var gaps = []gap{}

func (g gap) matches(c cell, op string) bool {
	if g.upstream != "" && g.upstream != c.upstream {
		return false
	}
	for _, p := range [][2]string{{g.client, c.client}, {g.server, c.server}, {g.route, c.route}, {g.op, op}} {
		if ok, _ := path.Match(p[0], p[1]); !ok {
			return false
		}
	}
	return true
}
