# A checkout that has what a rule needs.
mkdir -p internal/protocol internal/engine docs
cp "$ROOT/go.mod" "$ROOT/go.sum" .
cp -r "$ROOT/tools" .
cp -r "$ROOT/internal/finding" internal/
cp -r "$ROOT/internal/protocol/schema" "$ROOT/internal/protocol/hosts" "$ROOT/internal/protocol/spec" internal/protocol/
cp -r "$ROOT/internal/engine/lint" internal/engine/
cp -r "$ROOT/docs/rules" docs/
