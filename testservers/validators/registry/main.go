// Registry validates server.json files as the MCP registry does: one JSON document per line of standard input, one verdict
// per line of standard output. Each is posted to the endpoint that `mcp-publisher validate` uses, and then checked as a
// publication is before its packages are fetched.
//
// It is a module of its own, because the registry has many dependencies, and its path is below that of the registry,
// because the validators are internal packages.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	v0 "github.com/modelcontextprotocol/registry/internal/api/handlers/v0"
	"github.com/modelcontextprotocol/registry/internal/config"
	"github.com/modelcontextprotocol/registry/internal/validators"
	apiv0 "github.com/modelcontextprotocol/registry/pkg/api/v0"
)

// A verdict is what the registry says about a file.
type verdict struct {
	Valid bool   `json:"valid"`
	Why   string `json:"why,omitempty"`
}

func main() {
	mux := http.NewServeMux()
	settings := huma.DefaultConfig("registry", "1")
	settings.CreateHooks = nil // as internal/api/router does
	v0.RegisterValidateEndpoint(humago.New(mux, settings), "/v0")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := out.Encode(judge(mux, lines.Bytes())); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

func judge(mux *http.ServeMux, document []byte) verdict {
	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodPost, "/v0/validate", bytes.NewReader(document))
	request.Header.Set("Content-Type", "application/json")
	mux.ServeHTTP(answer, request)
	if answer.Code != http.StatusOK {
		return verdict{Why: answer.Body.String()}
	}
	var result validators.ValidationResult
	if err := json.Unmarshal(answer.Body.Bytes(), &result); err != nil {
		return verdict{Why: err.Error()}
	}
	if err := result.FirstError(); err != nil {
		return verdict{Why: err.Error()}
	}
	var server apiv0.ServerJSON
	err := json.Unmarshal(document, &server)
	if err == nil {
		err = validators.ValidatePublishRequest(context.Background(), server, &config.Config{})
	}
	if err != nil {
		return verdict{Why: err.Error()}
	}
	return verdict{Valid: true}
}
