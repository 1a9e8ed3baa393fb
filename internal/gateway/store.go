package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// MemoryStore is the address of a catalog that exists only in memory.
const MemoryStore = "memory"

// stateDir returns the directory for persistent state; empty without a home directory.
func stateDir(sys target.System) string {
	lookup := func(name string) string {
		if sys.Lookup == nil {
			return ""
		}
		if value, ok := sys.Lookup(name); ok && filepath.IsAbs(value) {
			return filepath.Join(value, "mcptest")
		}
		return ""
	}
	if dir := lookup("XDG_STATE_HOME"); dir != "" {
		return dir
	}
	if dir := lookup("LocalAppData"); sys.GOOS == "windows" && dir != "" {
		return dir
	}
	if sys.Home == "" {
		return ""
	}
	switch sys.GOOS {
	case "windows":
		return filepath.Join(sys.Home, "AppData", "Local", "mcptest")
	case "darwin":
		return filepath.Join(sys.Home, "Library", "Application Support", "mcptest")
	}
	return filepath.Join(sys.Home, ".local", "state", "mcptest")
}

// DefaultStore returns the catalog file of the gateway with a config file, or the user's own catalog if config
// is empty. Each config has a separate catalog: two configs may use the same name for different servers.
func DefaultStore(sys target.System, config string) (string, error) {
	dir := stateDir(sys)
	if dir == "" {
		return "", &workbench.UsageError{Message: "no home directory to store the catalog in",
			Hint: "use {--store} to choose a file"}
	}
	if config == "" {
		return filepath.Join(dir, "catalog.db"), nil
	}
	if !filepath.IsAbs(config) {
		config = filepath.Join(sys.Dir, config)
	}
	if real, err := filepath.EvalSymlinks(config); err == nil {
		config = real
	}
	sum := sha256.Sum256([]byte(config))
	name := strings.TrimSuffix(filepath.Base(config), filepath.Ext(config))
	return filepath.Join(dir, "gateway", name+"-"+hex.EncodeToString(sum[:6])+".db"), nil
}

// openCatalog opens the catalog at an address. The caller must close it.
func openCatalog(ctx context.Context, w *workbench.Workbench, address string, opts *catalog.Options) (*catalog.Catalog,
	error) {
	if address == MemoryStore {
		return catalog.Open(ctx, &store.Memory{}, opts)
	}
	if u, err := url.Parse(address); err == nil && u.User != nil {
		if password, ok := u.User.Password(); ok && w.Secrets != nil {
			w.Secrets.Add(password)
		}
	}
	s, err := store.Open(ctx, address)
	var file *fs.PathError
	if errors.As(err, &file) {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: "use {--store} to choose a file for the catalog"}
	}
	if err != nil {
		return nil, err
	}
	return catalog.Open(ctx, s, opts)
}
