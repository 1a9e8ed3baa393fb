package invoke

import (
	"sync"

	"github.com/mcptest-dev/mcptest/internal/expression"
)

// expressions caches compiled expressions by their source.
type expressions struct {
	mu   sync.Mutex
	code map[string]*expression.Expression
}

// maxExpressions is the maximum number of cached expressions.
const maxExpressions = 1000

func (x *expressions) get(source string) (*expression.Expression, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e := x.code[source]; e != nil {
		return e, nil
	}
	e, err := expression.Compile(source)
	if err != nil {
		return nil, err
	}
	if x.code == nil || len(x.code) >= maxExpressions {
		x.code = map[string]*expression.Expression{}
	}
	x.code[source] = e
	return e, nil
}
