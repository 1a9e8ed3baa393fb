package workbench

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Field is a field of an operation's input, as its tags declare it. This is the only reader of those tags.
type Field struct {
	Name        string // json
	Required    bool   // json without omitempty
	Doc         string // jsonschema
	Placeholder string // placeholder: what help and the page show for a value
	Audience    Audience
	Role        string // cli: arg, optional, rest, target, command; - if it is no flag; empty for a flag
	Short       string // short: the one-letter flag
	NotEmpty    bool   // empty:"no": if given, it must not be empty
	Alone       bool   // alone:"yes": if given, no server is required
	MaxLength   int    // max: of a string; 0 if none is declared
	OfServer    bool   // it is a field of an embedded Connection: it selects the server
	Type        reflect.Type
	index       []int
}

// An Audience is who may set a field: the value of the tag surface.
type Audience string

// The audiences.
const (
	Everyone    Audience = ""
	CommandOnly Audience = "cli"  // only the command line: the field reads or writes a file
	UserOnly    Audience = "user" // the command line and the page: the field grants what only the user may grant
)

// FieldsOf lists the fields of an input struct, those of embedded structs included.
func FieldsOf(input reflect.Type) []Field { return fieldsOf(input, nil, Field{}) }

// fieldsOf lists the fields of a struct that is embedded at an index. They inherit the role and the origin of outer.
func fieldsOf(t reflect.Type, index []int, outer Field) []Field {
	var all []Field
	for i := range t.NumField() {
		f := t.Field(i)
		field := readField(f)
		field.index = append(slices.Clone(index), i)
		field.OfServer = outer.OfServer
		if outer.Role == "-" {
			field.Role = "-"
		}
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			field.OfServer = field.OfServer || f.Type == reflect.TypeFor[Connection]()
			all = append(all, fieldsOf(f.Type, field.index, field)...)
		case f.IsExported() && field.Name != "" && field.Name != "-":
			all = append(all, field)
		}
	}
	return all
}

func readField(f reflect.StructField) Field {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	length, _ := strconv.Atoi(f.Tag.Get("max"))
	return Field{Name: name, Required: !strings.Contains(options, "omitempty"), Doc: f.Tag.Get("jsonschema"),
		Placeholder: f.Tag.Get("placeholder"), Audience: Audience(f.Tag.Get("surface")), Role: f.Tag.Get("cli"),
		Short: f.Tag.Get("short"), NotEmpty: f.Tag.Get("empty") == "no", Alone: f.Tag.Get("alone") == "yes",
		MaxLength: length, Type: f.Type}
}

// Value returns the value of the field in a pointer to an input.
func (f Field) Value(input any) reflect.Value {
	return reflect.ValueOf(input).Elem().FieldByIndex(f.index)
}
