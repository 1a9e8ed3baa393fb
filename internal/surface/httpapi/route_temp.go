package httpapi

import "reflect"

type handler any

func declare[In, Out any](pattern, doc string) Route {
	return Route{Pattern: pattern, Doc: doc, In: typeOf[In](), Out: typeOf[Out]()}
}

func bytes(pattern, doc string) Route { return Route{Pattern: pattern, Doc: doc, Bytes: true} }

func stream[In, Out any](pattern, doc string) Route {
	r := declare[In, Out](pattern, doc)
	r.Stream = true
	return r
}

func typeOf[T any]() reflect.Type {
	t := reflect.TypeFor[T]()
	if t == reflect.TypeFor[None]() {
		return nil
	}
	return t
}
