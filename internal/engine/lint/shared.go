package lint

import "slices"

// findShared finds the places that do not own the object that they describe: another place validates the same object,
// so closing one of them would reject what the other declares. The value is the reason.
func findShared(doc *Document) map[*Subschema]string {
	shared := map[*Subschema]string{}
	for _, place := range doc.Subschemas {
		if reason := sharedBy(place); reason != "" {
			markShared(shared, place, reason)
		}
		for _, child := range declaredTwice(place) {
			markShared(shared, child, "another place describes the same value")
		}
	}
	for changed := true; changed; {
		changed = false
		for _, holder := range doc.Subschemas {
			target := holder.Ref()
			if target == nil || shared[target] != "" {
				continue
			}
			if reason := sharedThrough(shared, holder); reason != "" {
				markShared(shared, target, reason)
				changed = true
			}
		}
	}
	return shared
}

// markShared marks a place and everything inside it: two schemas of one object are also two schemas of its properties.
func markShared(shared map[*Subschema]string, place *Subschema, reason string) {
	if shared[place] != "" {
		return
	}
	shared[place] = reason
	for _, child := range place.Children {
		if child.Keyword != "$defs" && child.Keyword != "definitions" {
			markShared(shared, child, reason)
		}
	}
}

// sharedBy returns the keyword through which the place shares its object.
func sharedBy(place *Subschema) string {
	switch place.Keyword {
	case "allOf", "if", "then", "else", "not", "dependentSchemas", "dependencies":
		return "it is a branch of " + place.Keyword + ", and others validate the same object"
	case "anyOf", "oneOf":
		if owner := place.Up; ownsObject(owner, place.Keyword) || demandsMore(owner, place) {
			return "it is a branch of " + place.Keyword + " beside other declarations of the same object"
		}
	}
	return ""
}

// ownsObject reports whether the owner of a composition constrains the object beyond that composition.
func ownsObject(owner *Subschema, composition string) bool {
	for _, m := range owner.Members {
		switch m.Name {
		case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "$ref", "if", "not":
			return true
		}
		if composes(m.Name) && m.Name != composition {
			return true
		}
	}
	return false
}

// demandsMore reports whether the owner requires properties that the place, once closed, would reject.
func demandsMore(owner, place *Subschema) bool {
	if owner.Has("minProperties") {
		return true
	}
	required := owner.Strings("required")
	if len(required) == 0 {
		return false
	}
	known := declaredBeside(place)
	return slices.ContainsFunc(required, func(name string) bool { return !known[name] })
}

// sharedThrough returns why the target of a reference is shared: its holder is shared, or adds to the reference.
func sharedThrough(shared map[*Subschema]string, holder *Subschema) string {
	if reason := shared[holder]; reason != "" {
		return "it is referred to from " + holder.Where() + ", where " + reason
	}
	if demandsMore(holder, holder.Ref()) {
		return "it is referred to from " + holder.Where() + ", which requires more"
	}
	for _, m := range holder.Members {
		if m.Name == "properties" || m.Name == "patternProperties" || m.Name == "if" || m.Name == "not" ||
			composes(m.Name) {
			return "it is referred to from " + holder.Where() + ", which adds to it"
		}
	}
	return ""
}

// declaredTwice lists the children of a place whose value is described a second time: by a place that validates the
// same object or array, or by patternProperties next to them.
func declaredTwice(place *Subschema) []*Subschema {
	if !slices.ContainsFunc(place.Children, func(child *Subschema) bool { return describesPart(child.Keyword) }) {
		return nil // resolving references is expensive
	}
	partners := place.partners()
	if len(partners) == 0 && !place.Has("patternProperties") {
		return nil
	}
	var twice []*Subschema
	for _, child := range place.Children {
		if describesPart(child.Keyword) && (place.Has("patternProperties") || anyDescribes(partners, child)) {
			twice = append(twice, child)
		}
	}
	return twice
}

// describesPart reports whether a keyword holds schemas for parts of an object or array.
func describesPart(keyword string) bool {
	switch keyword {
	case "properties", "patternProperties", "additionalProperties", "items", "prefixItems", "additionalItems",
		"contains":
		return true
	}
	return false
}

// anyDescribes reports whether a partner may describe the same part as the child. Properties with different names are
// different parts; for anything else this cannot be determined.
func anyDescribes(partners []*Subschema, child *Subschema) bool {
	for _, partner := range partners {
		for _, other := range partner.Children {
			if !describesPart(other.Keyword) || ofArray(other.Keyword) != ofArray(child.Keyword) {
				continue
			}
			if !child.Property() || !other.Property() || child.Name == other.Name {
				return true
			}
		}
	}
	return false
}

func ofArray(keyword string) bool {
	return keyword == "items" || keyword == "prefixItems" || keyword == "additionalItems" || keyword == "contains"
}
