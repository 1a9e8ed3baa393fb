package arguments

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// rootVariants creates the variants of an input that is a choice between objects. Alternatives of other types are
// omitted, because arguments are an object.
func (b *builder) rootVariants(n *schema.Node) ([]Field, error) {
	all := b.variants(n)
	if len(all) == 0 {
		return nil, errors.New("one of them cannot be resolved")
	}
	var objects []variant
	for _, v := range all {
		if types := v.node.Types(); v.node.Has("type") && !slices.Contains(types, "object") {
			continue
		}
		v.node = asObject(v.node)
		objects = append(objects, v)
	}
	if len(objects) == 0 {
		return nil, errors.New("none is an object")
	}
	var whole Field
	if err := b.union(&whole, objects, 0); err != nil {
		return nil, err
	}
	return flat(whole.Variants, 0)
}

// flat replaces variants that are choices themselves by what they let choose.
func flat(variants []Field, depth int) ([]Field, error) {
	var all []Field
	for i := range variants {
		switch v := variants[i].Shape(); {
		case v.Kind == KindUnion && depth < maxUnions:
			inner, err := flat(v.Variants, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, inner...)
		case v.Kind == KindObject:
			all = append(all, variants[i])
		default:
			return nil, errors.New(variants[i].Label + " has no fields")
		}
	}
	distinguish(all)
	return all, nil
}

// asObject restricts a subschema to objects.
func asObject(n schema.Node) schema.Node {
	if n.Has("type") {
		return replaced(n, "type", jsonText("object"))
	}
	n.Members = append(slices.Clone(n.Members), schema.Member{Name: "type", Key: jsonText("type"), Value: jsonText("object")})
	return n
}

// inBranches returns the subschema of a property that the alternatives of a subschema declare, if all of those that
// declare it agree.
func (b *builder) inBranches(n *schema.Node, name string) json.RawMessage {
	branches, _ := b.branches(n)
	var agreed json.RawMessage
	for _, branch := range branches {
		resolved, err := b.resolver.Resolve(branch)
		if err != nil {
			return nil
		}
		properties, _ := resolved.Get("properties")
		declared, found := schema.Get(properties, "/"+schema.Token(name))
		if !found {
			continue
		}
		if agreed != nil && !bytes.Equal(agreed, declared) {
			return nil
		}
		agreed = declared
	}
	return agreed
}
