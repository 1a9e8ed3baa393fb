# A checkout that has what a rule needs.
mkdir -p docs
cp "$ROOT/go.mod" "$ROOT/go.sum" .
cp -r "$ROOT/tools" "$ROOT/internal" .
cp -r "$ROOT/docs/rules" docs/
