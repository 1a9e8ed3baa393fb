package arguments

import "encoding/json"

// Start returns the initial values of a form: defaults and required constants are set, and stay in the request
// unless the user unsets them; a required null is set, as it has no input. Everything else is unset.
func (f *Form) Start() Value {
	if len(f.Variants) > 0 {
		first, _ := f.Chosen(Value{})
		return Value{State: Set, Variants: []Value{first.Start()}}
	}
	start := Value{State: Set}
	for i := range f.Fields {
		v := Value{Name: f.Fields[i].Name, State: Unset}
		if f.Fields[i].Initial != nil {
			v = *f.Fields[i].Initial
		}
		start.Items = append(start.Items, v)
	}
	return start
}

// initial returns the initial value of a property; nil for unset. A required object is set if one of its own
// properties is.
func initial(f *Field) *Value {
	v := Value{Name: f.Name, State: Set}
	switch {
	case f.Default != "":
		v, _ = render(f, json.RawMessage(f.Default))
		v.Name = f.Name
	case !f.Required:
		return nil
	case f.Kind == KindNull:
		v.State = Null
	case f.Kind == KindEnum && len(f.Options) == 1 && !f.Nullable:
		v.Text, v.JSON = f.Options[0].Text, f.Options[0].Value
	case (f.Kind == KindObject || f.Kind == KindTuple) && f.Target == nil:
		isSet := false
		for i := range f.Fields { // also unset ones, to be sent in the order of the schema
			if inner := f.Fields[i].Initial; inner != nil {
				v.Items, isSet = append(v.Items, *inner), true
			} else {
				v.Items = append(v.Items, Value{Name: f.Fields[i].Name, State: Unset})
			}
		}
		if !isSet {
			return nil
		}
	default:
		return nil
	}
	return &v
}
