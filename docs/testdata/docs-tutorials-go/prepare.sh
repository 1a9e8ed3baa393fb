# A checkout that has what the tutorial needs.
mkdir -p examples
cp -r "$ROOT/examples/tutorial" examples/
cp "$ROOT/go.mod" "$ROOT/go.sum" .
