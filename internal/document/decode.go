package document

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/typo"
)

// A Position is the location of a value. It is filled in for a struct that embeds it.
type Position struct {
	File         string `yaml:"-"`
	Line, Column int    `yaml:"-"`
}

// A Reader is a value that decodes itself from a node.
type Reader interface{ ReadNode(n *Node, d *Decoder) }

// A Decoder decodes nodes into structs and collects problems.
type Decoder struct {
	File     string
	Problems Problems
}

// AddProblem adds a problem at a node.
func (d *Decoder) AddProblem(n *Node, format string, args ...any) {
	d.wrongAt(n.Line, n.Column, format, args...)
}

// AddTypo adds the problem that a key is misspelled. What names the kind of key.
func (d *Decoder) AddTypo(p Pair, what, meant string) {
	d.Problems = append(d.Problems, Problem{File: d.File, Line: p.Line, Column: p.Column, Key: p.Key,
		Old: p.Key, New: meant,
		Message: fmt.Sprintf("unknown %s %q; did you mean %s?", what, p.Key, meant)})
}

func (d *Decoder) wrongAt(line, column int, format string, args ...any) {
	d.Problems = append(d.Problems, Problem{File: d.File, Line: line, Column: column,
		Message: fmt.Sprintf(format, args...)})
}

// Decode decodes into the value that out points to. Fields are named by their yaml tags; those with required:"yes" must
// be present, and those with enum:"a|b" accept only one of these words.
func (d *Decoder) Decode(n *Node, out any) { d.value(n, reflect.ValueOf(out).Elem(), "") }

var (
	rawType      = reflect.TypeFor[json.RawMessage]()
	nodeType     = reflect.TypeFor[*Node]()
	durationType = reflect.TypeFor[time.Duration]()
	positionType = reflect.TypeFor[Position]()
	readerType   = reflect.TypeFor[Reader]()
)

func (d *Decoder) value(n *Node, v reflect.Value, enum string) {
	if v.CanAddr() && v.Addr().Type().Implements(readerType) {
		d.decode(n, v)
		v.Addr().Interface().(Reader).ReadNode(n, d)
		return
	}
	switch {
	case v.Type() == nodeType:
		v.Set(reflect.ValueOf(n))
	case v.Type() == rawType:
		v.Set(reflect.ValueOf(n.JSON()))
	case v.Type() == durationType:
		d.duration(n, v)
	case v.Kind() == reflect.Pointer:
		if n.Kind != Null {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(n, v.Elem(), enum)
		}
	case v.Kind() == reflect.Struct:
		d.structure(n, v)
	case v.Kind() == reflect.Slice:
		d.list(n, v)
	case v.Kind() == reflect.Map:
		d.mapping(n, v)
	default:
		d.scalar(n, v, enum)
	}
}

func (d *Decoder) scalar(n *Node, v reflect.Value, enum string) {
	switch {
	case v.Kind() == reflect.String && (n.Kind == String || n.Kind == Number || n.Kind == Bool):
		if enum != "" && !wordIn(n.Text, enum) {
			d.AddProblem(n, "%q, expected %s", n.Text, words(enum))
		}
		v.SetString(n.Text)
	case v.Kind() == reflect.Bool && n.Kind == Bool:
		v.SetBool(n.Text == "true")
	case v.Kind() == reflect.Int && n.Kind == Number:
		i, err := strconv.Atoi(n.Text)
		if err != nil {
			d.AddProblem(n, "%s, expected an integer", n.Text)
		}
		v.SetInt(int64(i))
	case v.Kind() == reflect.Float64 && n.Kind == Number:
		f, _ := strconv.ParseFloat(n.Text, 64)
		v.SetFloat(f)
	default:
		want := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false",
			reflect.Int: "an integer", reflect.Float64: "a number"}[v.Kind()]
		d.AddProblem(n, "%s, expected %s", Describe(n), want)
	}
}

// Describe describes a value for a message.
func Describe(n *Node) string {
	switch n.Kind {
	case Map, List, Null:
		return string(n.Kind)
	}
	return fmt.Sprintf("%s (%s)", n.Kind, n.Text)
}

func (d *Decoder) duration(n *Node, v reflect.Value) {
	t, err := time.ParseDuration(n.Text)
	if n.Kind != String || err != nil || t < 0 {
		d.AddProblem(n, "%s, expected a duration with its unit, such as 500ms, 30s or 2m", Describe(n))
		return
	}
	v.SetInt(int64(t))
}

func (d *Decoder) list(n *Node, v reflect.Value) {
	items := n.Items
	switch n.Kind {
	case Null:
		return
	case List:
	default:
		items = []*Node{n} // a single value is a list of one
	}
	out := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		d.value(item, out.Index(i), "")
	}
	v.Set(out)
}

func (d *Decoder) mapping(n *Node, v reflect.Value) {
	if n.Kind == Null {
		return
	}
	if n.Kind != Map {
		d.AddProblem(n, "%s, expected a mapping of names to values", Describe(n))
		return
	}
	out := reflect.MakeMap(v.Type())
	for _, p := range n.Pairs {
		value := reflect.New(v.Type().Elem()).Elem()
		d.value(p.Value, value, "")
		out.SetMapIndex(reflect.ValueOf(p.Key), value)
	}
	v.Set(out)
}

func (d *Decoder) decode(n *Node, v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	if f := v.FieldByName("Position"); f.IsValid() && f.Type() == positionType {
		f.Set(reflect.ValueOf(Position{File: d.File, Line: n.Line, Column: n.Column}))
	}
}

func (d *Decoder) structure(n *Node, v reflect.Value) {
	d.decode(n, v)
	fields := fieldsOf(v.Type())
	if n.Kind != Map {
		d.AddProblem(n, "%s, expected a mapping with %s", Describe(n), nameSome(fields))
		return
	}
	for _, p := range n.Pairs {
		f, known := find(fields, p.Key)
		if !known {
			d.unknown(p, fields)
			continue
		}
		d.value(p.Value, v.FieldByIndex(f.index), f.enum)
	}
	for _, f := range fields {
		if f.required && n.Get(f.name) == nil {
			d.AddProblem(n, "%s is missing (%s)", f.name, f.doc)
		}
	}
}

func (d *Decoder) unknown(p Pair, fields []field) {
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	meant := typo.Best(p.Key, names)
	if meant != "" {
		d.AddTypo(p, "key", meant)
		return
	}
	d.Problems = append(d.Problems, Problem{File: d.File, Line: p.Line, Column: p.Column, Key: p.Key,
		Message: fmt.Sprintf("unknown key %q; valid keys: %s", p.Key, strings.Join(names, ", "))})
}

// nameSome lists a few of the valid keys.
func nameSome(fields []field) string {
	var names []string
	for _, f := range fields {
		if f.required {
			names = append(names, f.name)
		}
	}
	for _, f := range fields {
		if len(names) < 3 && !f.required {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ", ")
}

func wordIn(word, enum string) bool {
	for known := range strings.SplitSeq(enum, "|") {
		if word == known {
			return true
		}
	}
	return false
}

func words(enum string) string {
	all := strings.Split(enum, "|")
	if len(all) == 1 {
		return all[0]
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}
