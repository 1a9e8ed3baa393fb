package access

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A RoleConfig grants rights to everyone whose token has its claims. The rights of all roles of a token add up; what
// one of them denies stays denied.
type RoleConfig struct {
	Name string `json:"name"` // for logs and the audit: letters, digits, _, - and .
	// the claims that a token must have, each with a value or a list of values of which one is enough; a.b is the field
	// b of the claim a, scope and scp are lists of words
	Claims map[string]ClaimValues `json:"claims"`
	// what it grants: server or server/tool, with * as a wildcard; empty means nothing
	Allow  []string `json:"allow"`
	Deny   []string `json:"deny"`   // what its holders may not use, whatever else is granted
	Manage bool     `json:"manage"` // whether its holders may register, update and remove tools
	Rate   float64  `json:"rate"`   // calls per second of each holder; 0 means no limit
	Burst  int      `json:"burst"`  // burst size; 0 means the calls per second, at least 1
}

// ClaimValues are the values of a claim of which one is enough. In JSON, one value may be without a list.
type ClaimValues []string

// UnmarshalJSON reads a string or a list of strings.
func (v *ClaimValues) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*v = ClaimValues{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return errors.New("claims: expected a string or a list of strings")
	}
	*v = list
	return nil
}

var roleName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

func (r RoleConfig) check() error {
	if !roleName.MatchString(r.Name) {
		return fmt.Errorf("invalid name %q: use letters, digits, dots, hyphens and underscores", r.Name)
	}
	if len(r.Claims) == 0 {
		return fmt.Errorf("%q has no claims: it would be for every token", r.Name)
	}
	for name, values := range r.Claims {
		if name == "" || len(values) == 0 || slices.Contains(values, "") {
			return fmt.Errorf("%q: claim %q has no value", r.Name, name)
		}
	}
	for _, pattern := range slices.Concat(r.Allow, r.Deny) {
		if !ValidPattern(pattern) {
			return fmt.Errorf("invalid pattern %q of %q: expected server or server/tool", pattern, r.Name)
		}
	}
	return nil
}

// has reports whether a token with these claims has the role.
func (r RoleConfig) has(claims map[string]any) bool {
	for name, wanted := range r.Claims {
		if !slices.ContainsFunc(valuesOf(name, claims), func(v string) bool { return slices.Contains(wanted, v) }) {
			return false
		}
	}
	return true
}

// valuesOf lists the values of a claim as text. A claim with the whole name, such as a URL, comes before a path.
func valuesOf(name string, claims map[string]any) []string {
	value, found := claims[name]
	if outer, rest, isPath := strings.Cut(name, "."); !found && isPath {
		inner, _ := claims[outer].(map[string]any)
		return valuesOf(rest, inner)
	}
	switch v := value.(type) {
	case string:
		if name == "scope" || name == "scp" {
			return strings.Fields(v)
		}
		return []string{v}
	case []any:
		var all []string
		for _, element := range v {
			if text, ok := scalar(element); ok {
				all = append(all, text)
			}
		}
		return all
	}
	if text, ok := scalar(value); ok {
		return []string{text}
	}
	return nil
}

func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool, json.Number:
		return fmt.Sprint(v), true
	}
	return "", false
}

// maxHolders is how many callers with roles are remembered. One that was forgotten is known again with its next
// request.
const maxHolders = 10_000

// maxSubject is the maximum length of the subject of a caller with roles.
const maxSubject = 256

// roles are the roles of a config, and the callers that have some.
type roles struct {
	issuer string
	config []RoleConfig

	mu      sync.Mutex
	holders map[string]*Caller // by name
}

func newRoles(c *JWTConfig) (*roles, error) {
	r := &roles{holders: map[string]*Caller{}}
	if c == nil {
		return r, nil
	}
	names := map[string]bool{}
	for i, role := range c.Roles {
		if err := role.check(); err != nil {
			return nil, fmt.Errorf("jwt: role %d: %w", i+1, err)
		}
		if names[role.Name] {
			return nil, fmt.Errorf("jwt: role %d: duplicate name %q", i+1, role.Name)
		}
		names[role.Name] = true
	}
	r.issuer, r.config = c.Issuer, c.Roles
	return r, nil
}

// holder returns the caller with a subject and the roles of its claims; nil if it has none. Its name includes the
// roles, so that two tokens of one subject with different rights are different callers: what one of them created, such
// as a session or a task, is not usable with the rights of the other.
func (r *roles) holder(subject string, claims map[string]any) *Caller {
	var held []RoleConfig
	var names []string
	for _, role := range r.config {
		if role.has(claims) {
			held, names = append(held, role), append(names, role.Name)
		}
	}
	if len(held) == 0 || len(subject) > maxSubject {
		return nil
	}
	name := holderName(subject, names)
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.holders[name]; c != nil {
		return c
	}
	if len(r.holders) >= maxHolders {
		for forgotten := range r.holders { // any of them
			delete(r.holders, forgotten)
			break
		}
	}
	c := combine(name, held)
	c.User = "subject " + subject + " of " + r.issuer
	r.holders[name] = c
	return c
}

// holderName is the name of a caller with roles. No configured caller may have such a name.
func holderName(subject string, roles []string) string {
	return subject + " [" + strings.Join(roles, " ") + "]"
}

// ClassOf returns the class of a caller: its roles if it has some, or its name. There are as many as the config has
// callers and combinations of roles, however many users there are.
func ClassOf(name string) string {
	if at := strings.LastIndex(name, " ["); at >= 0 && isHolderName(name) {
		return name[at+1:]
	}
	return name
}

func isHolderName(name string) bool {
	return strings.HasSuffix(name, "]") && strings.Contains(name, " [")
}

// combine adds up the rights of roles.
func combine(name string, held []RoleConfig) *Caller {
	c := &Caller{Name: name}
	perSecond, burst, limited := 0.0, 0, true
	for _, role := range held {
		c.allow, c.deny = append(c.allow, role.Allow...), append(c.deny, role.Deny...)
		c.Manage = c.Manage || role.Manage
		limited = limited && role.Rate > 0
		if role.Rate >= perSecond {
			perSecond, burst = role.Rate, max(burst, role.Burst)
		}
	}
	if len(c.allow) == 0 {
		c.deny = []string{"*"}
	}
	if limited {
		c.limit = newLimit(perSecond, burst)
	}
	return c
}

func (r *roles) find(name string) *Caller {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.holders[name]
}

// same reports whether the roles are those of another config, so that its callers stay as they are.
func (r *roles) same(o *roles) bool { return reflect.DeepEqual(r.config, o.config) }

// scopes lists the scopes that roles require, for the metadata.
func (r *roles) scopes() []string {
	all := map[string]bool{}
	for _, role := range r.config {
		for _, name := range []string{"scope", "scp"} {
			for _, value := range role.Claims[name] {
				all[value] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}
