package yamlfile

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// fraction finds the first number with a fraction that stands where a whole number
// is wanted, nil if there is none: the library would cut the fraction off.
func fraction(n ast.Node, t reflect.Type) ast.Node {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if f, ok := n.(*ast.FloatNode); ok && f.Value != math.Trunc(f.Value) {
			return n
		}
		if s, ok := n.(*ast.StringNode); ok {
			if v, err := strconv.ParseFloat(s.Value, 64); err == nil && v != math.Trunc(v) {
				return n
			}
		}
	case reflect.Slice:
		if list, ok := n.(*ast.SequenceNode); ok {
			for _, v := range list.Values {
				if found := fraction(v, t.Elem()); found != nil {
					return found
				}
			}
		}
	case reflect.Map, reflect.Struct:
		return fractionInside(n, t)
	}
	return nil
}

func fractionInside(n ast.Node, t reflect.Type) ast.Node {
	var pairs []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	}
	for _, p := range pairs {
		of := valueType(t, p.Key.GetToken().Value)
		if of == nil {
			continue // the decoder says that there is no such key
		}
		if found := fraction(p.Value, of); found != nil {
			return found
		}
	}
	return nil
}

// valueType is the type of the value of a key, nil if there is no such key.
func valueType(t reflect.Type, key string) reflect.Type {
	if t.Kind() == reflect.Map {
		return t.Elem()
	}
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); name == key {
			return t.Field(i).Type
		}
	}
	return nil
}
