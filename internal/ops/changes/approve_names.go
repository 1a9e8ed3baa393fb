package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// serverApproval names the instructions and capabilities of a server.
const serverApproval = "server"

// approvalNames are what a user types to name changes: the name of the item, or KIND:NAME if several changes have the
// name. Only the server itself is named "server".
type approvalNames struct {
	all        []string // in the order of the changes
	suspicious map[string]bool
	aliases    map[string][]string  // what else the user may type: names without or with a kind, old names
	byItem     map[[2]string]string // by kind and name
}

func newApprovalNames(d *change.Diff) *approvalNames {
	n := &approvalNames{suspicious: map[string]bool{}, aliases: map[string][]string{},
		byItem: map[[2]string]string{}}
	uses := map[string]int{serverApproval: 1} // how many changes a text could name
	seen := map[[2]string]bool{}
	for _, item := range d.Items {
		if key := [2]string{item.Kind, item.Name}; item.Kind != change.ServerItem && !seen[key] {
			seen[key] = true
			uses[item.Name]++
			uses[qualifiedName(item.Kind, item.Name)]++
		}
	}
	for _, item := range d.Items {
		n.add(item, uses)
	}
	return n
}

func qualifiedName(kind, name string) string { return kind + ":" + name }

func (n *approvalNames) add(item change.Item, uses map[string]int) {
	key, name := [2]string{item.Kind, item.Name}, serverApproval
	if item.Kind != change.ServerItem {
		if name = item.Name; uses[name] > 1 {
			name = qualifiedName(item.Kind, item.Name)
		}
	}
	n.suspicious[name] = n.suspicious[name] || len(item.Suspicions) > 0
	if n.byItem[key] != "" {
		return
	}
	n.byItem[key] = name
	if !slices.Contains(n.all, name) {
		n.all = append(n.all, name)
	}
	if item.Kind == change.ServerItem {
		return
	}
	others := []string{item.Name, qualifiedName(item.Kind, item.Name)}
	if item.Was != "" {
		others = append(others, item.Was, qualifiedName(item.Kind, item.Was))
	}
	for _, other := range others {
		if other != serverApproval {
			n.aliases[other] = append(n.aliases[other], name)
		}
	}
}

// of returns the name of an item.
func (n *approvalNames) of(item change.Item) string { return n.byItem[[2]string{item.Kind, item.Name}] }

// resolve returns the names in all that the user means.
func (n *approvalNames) resolve(given []string) (map[string]bool, error) {
	wanted := map[string]bool{}
	for _, name := range given {
		found := n.aliases[name]
		if slices.Contains(n.all, name) {
			found = []string{name}
		}
		switch {
		case len(found) == 1:
			wanted[found[0]] = true
		case len(found) > 1:
			return nil, &workbench.UsageError{Message: fmt.Sprintf("several changes are named %q", name),
				Hint: hint.Text("use one of: " + strings.Join(found, ", "))}
		default:
			return nil, &workbench.UsageError{Message: fmt.Sprintf("%q did not change", name),
				Hint: hint.Text(engines.DidYouMean(name, n.all) + "run: mcptest diff mcptest.lock TARGET")}
		}
	}
	return wanted, nil
}
