package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/quarantine"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A proof shows the effect of a flag: the outcome of a command line with the flag has what the expression matches, and
// without the flag it does not. An expression after "!" must match only without the flag. {names} stand for what a
// scene has.
type proof struct {
	line string // the command line; {flag} stands for the flag, and is at the end if it is missing
	flag string // the flag with its value
	want string
}

// bases are command lines that reach the server {target}, by command. They are for flags of many commands.
var bases = map[string]string{
	"tools list": "tools list {target}", "tools call": "tools call echo --arg message=hi {target}",
	"resources list": "resources list {target}",
	"resources read": "resources read demo://welcome {target}", "resources templates": "resources templates {target}",
	"prompts list": "prompts list {target}", "prompts get": "prompts get greet {target}",
	"complete": "complete --prompt greet --arg name=a {target}",
	"raw":      "raw tools/list {target}", "listen": "listen --for 300ms {target}",
	"schema-lint": "schema-lint --rules SCH-001 {target}",
	"conform":     "conform --rules TOOL-001 {target}", "hosts": "hosts echo --host codex {target}",
	"find": "find echo {target}", "init": "init --out - {target}",
	"fuzz": "fuzz --cases 2 {target}", "load": "load --duration 50ms --rate 20/s {target}",
	"check": "check --budget 2s {target}",
	"run":   "run {dir}/suite.yaml", "gateway": "gateway --config {dir}/servers.json --store {dir}/g.db",
	"auth":        "auth {target}",
	"auth status": "auth status {url}", "auth logout": "auth logout {url}",
	"catalog list":   "catalog list --store {dir}/c.db",
	"catalog search": "catalog search tea --store {dir}/c.db",
	"catalog show":   "catalog show brew_tea --store {dir}/c.db",
	"catalog add":    "catalog add {dir}/coffee.json --store {dir}/c.db",
	"catalog update": "catalog update {dir}/tea.json --store {dir}/c.db",
	"catalog remove": "catalog remove brew_tea --store {dir}/c.db",
	"catalog import": "catalog import {dir}/all.json --store {dir}/c.db",
	"rules":          "rules SCH", "explain": "explain SCH-001", "servers": "servers --config {dir}/servers.json",
	"suite validate": "suite validate {dir}/suite.yaml", "suite from": "suite from {dir}/frames.jsonl demo --out -",
	"schema": "schema suite", "lint": "lint {dir}/suite.yaml", "report": "report {dir}/report.json",
	"report merge": "report merge {dir}/report.json",
	"transcript":   "transcript {dir}/frames.jsonl", "version": "version",
	"inspect":  "inspect --listen 127.0.0.1:0 {target}",
	"tap list": "tap list", "diff": "diff {target} demo", "lock": "lock --file {dir}/probe.lock {target}",
	"replay":  "replay {dir}/frames.jsonl {target}",
	"approve": "approve --as probe --file {dir}/approved.lock {target}",
}

// common are the proofs of flags that many commands have, for the command lines of bases. {target} is what at says.
var common = map[string]struct{ at, more, flag, want string }{
	"json":  {"{url}", "", "--json", `(?m)^stdout: *[\[{]`},
	"trace": {"{url}", "", "--trace", `(?m)^(stderr: )?→ 1 .*http|stderr: → 1`},
	"transcript": {"{url}", "", "--transcript {dir}/out.jsonl",
		`(?s)file out.jsonl: \{.*tools|file out.jsonl: \{.*"method"`},
	"no-redact": {"{url}", "--trace --header 'X-Api-Key: hunter2hunter2'", "--no-redact", `hunter2hunter2`},
	"no-color":  {"{url}", "--trace", "--no-color", `!\x1b\[\d+m`},
	"answer":    {"-- {recorder}", "", "--answer {dir}/answers.json", `server: .*file:///probe-root`},
	"header":    {"{url}", "", "--header 'X-Probe: yes'", `server: POST X-Probe=yes`},
	"insecure":  {"{tls}", "", "--insecure", `server: POST`},
	"env":       {"-- {recorder}", "", "--env PROBE=yes", `server: variable PROBE=yes`},
	"cwd":       {"-- {recorder}", "", "--cwd {dir}/folder", `server: directory \S*/folder\n`},
	"config":    {"probe", "", "--config {dir}/servers.json", `server: POST`},
	"protocol":  {"{url}", "", "--protocol 2025-06-18", `server: POST .*"protocolVersion":"2025-06-18"`},
	"log-level": {"{url}", "", "--log-level debug", `server: POST .*logging/setLevel`},
	"timeout": {"{slow}", "", "--timeout 200ms",
		`(?i)tim(ed|e) ?out|time limit|within 200ms|no response|no connection`},
}

// proofs are those of single commands.
var proofs = map[string]proof{
	"completion bash --no-descriptions":       {"completion bash", "--no-descriptions", `__completeNoDesc`},
	"completion zsh --no-descriptions":        {"completion zsh", "--no-descriptions", `__completeNoDesc`},
	"completion fish --no-descriptions":       {"completion fish", "--no-descriptions", `__completeNoDesc`},
	"completion powershell --no-descriptions": {"completion powershell", "--no-descriptions", `__completeNoDesc`},
	"diff --fail-on":                          {"diff demo demo-flawed", "--fail-on none", `^exit 0`},
	"diff --format":                           {"diff demo demo-flawed", "--format json", `stdout: \{`},
	"diff --env": {"diff process demo --config {dir}/process.json", "--env PROBE=yes",
		`server: variable PROBE=yes`},
	"diff --calls": {"diff demo demo-flawed", "--calls {dir}/suite.yaml",
		`calls: 1 of 1 are rejected now`},
	"diff --with": {"diff {flag} process --config {dir}/process.json",
		"--with A=1 --with B=2", `stdout: \[1\]  A=1`},
	"diff --verbose": {"diff demo demo-flawed", "--verbose", `(?m)^ +basis `},
	"find --as":      {"find other demo", "--as other", `claude-code +add`},
	"find --queries": {"find echo demo", "--queries {dir}/none.yaml", `^exit 2`},
	"hosts --as":     {"hosts echo --host opencode demo", "--as other", `other_echo`},
	"tap --name": {"tap {flag} -- true", "--name probe",
		`file \S+\.json: .*"name":"probe"`},
	"tap --listen": {"tap {url}", "--listen 127.0.0.1:0",
		`stdout: mcptest tap serves http://127`},
	"tap --no-redact": {"tap {flag} -- echo token=hunter2hunter2", "--no-redact",
		`file \S+\.jsonl: .*hunter2hunter2`},
	"tap --fault": {"tap {flag} -- true", "--fault tools/call:drop",
		`file \S+\.json: .*"rules":\["tools/call:drop"\]`},
	"tap --faults": {"tap {flag} -- true", "--faults {dir}/faults.yaml",
		`file \S+\.json: .*"rules":\["tools/list:20%:cut"\]`},
	"tap --seed": {"tap --fault tools/call:5%:drop {flag} -- true", "--seed 77",
		`file \S+\.json: .*"seed":77`},
	"why --client":   {"why probe --config {dir}/servers.json", "--client codex", `stdout: probe works in Codex`},
	"why --config":   {"why probe", "--config {dir}/servers.json", `stdout: probe works in a client`},
	"why --json":     {"why probe --config {dir}/servers.json", "--json", `(?m)^stdout: *[\[{]`},
	"why --no-color": {"why probe --config {dir}/servers.json --client codex", "--no-color", `!\x1b\[\d+m`},
	"tap install --yes": {"tap install cursor probe", "--yes",
		`(?s)exit 0.*file .cursor/mcp.json: .*tap`},
	"tap remove --yes":           {"tap remove cursor probe", "--yes", `(?s)exit 0.*stdout: .*Restored`},
	"replay --allow-destructive": {"replay {dir}/called.jsonl demo", "--allow-destructive", `!skipped tools/call`},
	"replay --tool":              {"replay {dir}/called.jsonl demo", "--tool write_note", `!skipped tools/call`},
	"mock --listen":              {"mock --from {dir}/tools.json", "--listen 127.0.0.1:0", `mcptest mock serves http://127`},
	"mock --from":                {"mock", "--from {dir}/tools.json", `^exit 0`},
	"mock --speed":               {"mock {dir}/frames.jsonl", "--speed nosuch", `^exit 2`},
	"mock --upstream":            {"mock {dir}/frames.jsonl", "--upstream nosuch", `^exit 2`},
	"mock --sample":              {"mock {dir}/frames.jsonl", "--sample", `"text":"sample"`},
	"tap view --method":          {"tap view", "--method nosuch", `!← 1 notifications/probe`},
	"tap export --format":        {"tap export", "--format har", `"entries"`},
	"tap export --out":           {"tap export", "--out {dir}/x.jsonl", `file x.jsonl: `},
	"check --locked": {"check --budget 2s --lock-file {dir}/approved.lock {url}", "--locked",
		`LOCK-002`},
	"check --lock-file": {"check --budget 2s --locked {url}", "--lock-file {dir}/approved.lock",
		`LOCK-002`},
	"approve --as": {"approve --file {dir}/approved.lock {url}", "--as probe",
		`stdout: .*probe approved`},
	"approve --file": {"approve --as probe {url}", "--file {dir}/approved.lock",
		`stdout: .*probe approved`},
	"approve --reason": {"approve --as probe --file {dir}/approved.lock {url}",
		"--reason because", `(?s)file approved.lock: .*because`},
	"approve --timeout": {"approve --as probe --file {dir}/approved.lock {slow}",
		"--timeout 200ms", `^exit 3`},
	"lock --as": {"lock --file {dir}/probe.lock {url}", "--as other",
		`(?s)file probe.lock: .*other`},
	"lock --timeout": {"lock --file {dir}/probe.lock {slow}", "--timeout 200ms", `^exit 3`},
	"lock --file": {"lock --file {dir}/first.lock {url}", "--file {dir}/other.lock",
		`file other.lock: `},
	"auth --assertion": {"auth {origin}/locked --client-id me", "--assertion @{dir}/assertion",
		`server: /as/token .*assertion=probe-assertion.*jwt-bearer`},
	"auth --callback-port": {"auth {origin}/locked", "--callback-port {port}",
		`redirect_uri=http%3A%2F%2F(127\.0\.0\.1|localhost)%3A` + callbackPort},
	"auth --client-document": {"auth {origin}/locked",
		"--client-document https://client.example/me.json", `client_id=https%3A%2F%2Fclient\.example`},
	"auth --dpop": {"auth {origin}/locked --client-id me --assertion @{dir}/assertion",
		"--dpop", `server: /as/token DPoP=true`},
	"auth --identity-client": {"auth {origin}/locked --client-id me --identity-endpoint " +
		"{origin}/identity --identity-token @{dir}/assertion", "--identity-client probe",
		`server: identity .*client_id=probe`},
	"auth --identity-endpoint": {"auth {origin}/locked --client-id me --identity-client you " +
		"--identity-token @{dir}/assertion", "--identity-endpoint {origin}/identity", `server: identity `},
	"auth --identity-token": {"auth {origin}/locked --client-id me --identity-client you " +
		"--identity-endpoint {origin}/identity", "--identity-token @{dir}/assertion",
		`server: identity .*subject_token=probe-assertion`},
	"auth --issuer": {"auth {origin}/locked", "--issuer {origin}/other",
		`/other/authorize\?`},
	"catalog import --replace": {"catalog import {dir}/changed.json --store {dir}/c.db", "--replace",
		`^exit 0`},
	"check --allow-disruptive": {"check --budget 4s {remote}", "--allow-disruptive", malformed},
	"conform --allow":          {"conform --rules TOOL-* {url}", "--allow change", callsChange},
	"conform --allow-calls":    {"conform --rules TOOL-* {url}", "--allow-calls", callsChange},
	"conform --allow-disruptive": {"conform --rules RPC-005,RPC-006 {remote}", "--allow-disruptive",
		malformed},
	"fuzz --allow-destructive": {"fuzz --cases 2 {url}", "--allow-destructive", callsChange},
	"fuzz --allow-disruptive": {"fuzz --cases 2 --wire {remote}", "--allow-disruptive",
		`server: POST .*"tools/call"`},
	"fuzz --hang": {"fuzz --cases 1 {lazy}", "--hang 100ms", `FUZZ-002`},
	"fuzz --severity": {"fuzz --cases 1 --hang 100ms {lazy}", "--severity critical",
		`!FUZZ-002`},
	"fuzz --stateful": {"fuzz --cases 2 --format tap {url}", "--stateful",
		`!SKIP[^\n]*--stateful`},
	"lint --baseline": {"lint {dir}/old.yaml", "--baseline {dir}/accepted.json",
		`suppressed by the baseline`},
	"lint --rules":    {"lint {dir}/old.yaml", "--rules DEP-002", `!DEP-001`},
	"lint --severity": {"lint {dir}/old.yaml", "--severity error", `!DEP-001`},
	"lint --skip":     {"lint {dir}/old.yaml", "--skip DEP-001", `!DEP-001`},
	"lint --verbose":  {"lint {dir}/suite.yaml", "--verbose", `stdout: passed`},
	"lint --write-baseline": {"lint {dir}/old.yaml --baseline {dir}/new.json", "--write-baseline",
		`file new.json: `},
	"load --allow-disruptive": {"load --duration 50ms --rate 20/s --tool echo {remote}",
		"--allow-disruptive", `server: POST .*"tools/call"`},
	"load --silence": {"load --duration 1s --rate 5/s --tool echo {mute}", "--silence 200ms",
		`load/deadlock`},
	"run --allow-calls": {"run {dir}/unsafe.yaml", "--allow-calls", callsChange},
	"run --allow-disruptive": {"run {dir}/remote.yaml", "--allow-disruptive",
		`server: POST .*"tools/call"`},
	"run --parallel": {"run {dir}/lazy.yaml", "--parallel 1",
		`!server: calls at the same time`},
	"run --timings": {"run {dir}/lazy.yaml --list --shard 1/2",
		"--timings {dir}/timings.json", `stdout: \S*/first\n\nstderr`},
	"run --watch": {"run {dir}/suite.yaml", "--watch", `(?i)watching`},
	"serve --allow-host": {"serve --listen 127.0.0.1:0", "--allow-host tunnel.example:443",
		`probe of the host: 401`},
	"serve --allow-origin": {"serve --listen 127.0.0.1:0", "--allow-origin https://page.example",
		`probe of the origin: 401`},
	"inspect --timeout": {"inspect --listen 127.0.0.1:0 {slow}", "--timeout 200ms",
		`probe of the links: .*200ms`},
	"schema-lint --verbose": {"schema-lint --rules SCH-001 demo", "--verbose", `stdout: passed`},
	"tools call --interactive": {"tools call echo {url}", "--interactive",
		`server: .*"message":"probe"`},
	"tools call --seed": {"tools call image --example demo", "--seed 9", `green`},
	"tools call --task": {"tools call echo --arg message=hi --protocol 2025-11-25 {url}",
		"--task", `server: .*"tools/call".*"task":`},
	"complete --arg": {"complete --prompt greet {flag} {url}", "--arg name=probe",
		`server: .*"value":"probe"`},
	"complete --prompt": {"complete {flag} --arg name=a {url}", "--prompt greet",
		`server: .*ref/prompt`},
	"complete --template": {"complete {flag} --arg name=a {url}", "--template demo://{name}",
		`server: .*ref/resource`},
	"complete --context": {"complete --prompt greet --arg name=a {url}", "--context other=probe",
		`server: .*"other":"probe"`},
	"raw --json": {"raw tools/list {url}", "--json", `stdout: \{"jsonrpc"`},
	"catalog show --json": {"catalog show brew_tea --store {dir}/c.db", "--json",
		`stdout: \{"name"`},
	"catalog update --json": {"catalog update {dir}/tea.json --seen 1 --store {dir}/c.db", "--json",
		`stdout: \{`},
	"catalog add --store": {"catalog add {dir}/tea.json", "--store {dir}/c.db",
		`already registered`},
	"catalog update --store": {"catalog update {dir}/tea.json --seen 1", "--store {dir}/c.db",
		`exit 0`},
	"catalog approve --store":    {"catalog approve", "--store {dir}/waiting.db", `kitchen/brew_tea@`},
	"catalog approve --json":     {"catalog approve --store {dir}/waiting.db", "--json", `stdout: \{\s*"approved"`},
	"catalog approve --no-color": {"catalog approve --store {dir}/waiting.db", "--no-color", `!\x1b\[\d+m`},
	"catalog search --limit": {"catalog search tea --also coffee --store {dir}/two.db", "--limit 1",
		`!(?s)brew_tea.*brew_coffee|brew_coffee.*brew_tea`},
	"auth status --config": {"auth status probe", "--config {dir}/servers.json", `no stored token`},
	"auth logout --config": {"auth logout probe", "--config {dir}/servers.json", `no stored token`},
	"auth --no-redact": {"auth --trace --header 'X-Api-Key: hunter2hunter2' {url}",
		"--no-redact", `hunter2hunter2`},
	"run --no-redact": {"run {dir}/secret.yaml --trace", "--no-redact", `hunter2hunter2`},
	"gateway --no-redact": {"gateway --config {dir}/secret.json --trace --store {dir}/g.db",
		"--no-redact", `hunter2hunter2`},
	"transcript --no-redact": {"transcript {dir}/frames.jsonl", "--no-redact", `hunter2hunter2`},
	"prompts get --save":     {"prompts get greet {url}", "--save {dir}/saved", `file saved/`},
	"resources read --save": {"resources read demo://welcome {url}", "--save {dir}/saved",
		`file saved/`},
	"run --bail":                {"run {dir}/failing.yaml --parallel 1", "--bail", `!2 failed`},
	"serve --insecure-i-know":   {"serve --listen 0.0.0.0:0", "--insecure-i-know", `serves http://`},
	"inspect --insecure-i-know": {"inspect --listen 0.0.0.0:0", "--insecure-i-know", `stdout: http://`},
	"check --timeout": {"check --budget 2s {slow}", "--timeout 200ms",
		`stdout: no connection to`},
	"report merge --no-color": {"report merge --format text {dir}/report.json", "--no-color",
		`!\x1b\[\d+m`},
	"lint --no-color": {"lint {dir}/old.yaml", "--no-color", `!\x1b\[\d+m`},
	"lint --format":   {"lint {dir}/old.yaml", "--format tap", `stdout: TAP version`},
	"conform --rules": {"conform --verbose {url}", "--rules TOOL-001", `!TOOL-002`},
	"conform --skip": {"conform --rules TOOL-001,TOOL-002 --verbose {url}", "--skip TOOL-002",
		`!TOOL-002`},
	"conform --verbose": {"conform --rules TOOL-001 {url}", "--verbose", `TOOL-001`},
	"conform --format": {"conform --rules TOOL-001 {url}", "--format tap",
		`stdout: TAP version`},
	"demo --listen":       {"demo", "--listen 127.0.0.1:0", `stdout: demo serves http`},
	"demo-guide --listen": {"demo-guide", "--listen 127.0.0.1:0", `stdout: demo-guide serves http`},
	"demo-flawed --listen": {"demo-flawed", "--listen 127.0.0.1:0",
		`stdout: demo-flawed serves http`},
	"fuzz --format": {"fuzz --cases 2 demo", "--format tap", `stdout: TAP version`},
	"hosts --host":  {"hosts echo {url}", "--host codex", `!(?i)gemini`},
	"init --out": {"init --force --out - {flag} demo", "--out {dir}/new.yaml",
		`file new.yaml: `},
	"suite from --out": {"suite from {dir}/frames.jsonl demo --force --out - {flag}", "--out {dir}/from.yaml",
		`file from.yaml: `},
	"suite from --force": {"suite from {dir}/frames.jsonl demo --out {dir}/suite.yaml", "--force", `^exit 0`},
	"init --force":       {"init --out {dir}/suite.yaml demo", "--force", `(?s)exit 0.*stdout`},
	"inspect --listen": {"inspect --port 70000", "--listen 127.0.0.1:0",
		`(?i)mutually exclusive`},
	"load --format": {"load --duration 50ms --rate 20/s --tool echo demo", "--format tap",
		`stdout: TAP version`},
	"load --html": {"load --duration 50ms --rate 20/s --tool echo demo",
		"--html {dir}/load.html", `file load.html: <!`},
	"load --tool": {"load --duration 50ms --rate 20/s demo", "--tool nosuch", `nosuch`},
	"load --arg": {"load --duration 50ms --rate 20/s --tool echo {url}",
		"--arg message=probe", `server: .*"message":"probe"`},
	"load --args": {"load --duration 50ms --rate 20/s --tool echo {url}",
		`--args '{"message":"probe"}'`, `server: .*"message":"probe"`},
	"load --no-validate": {`load --duration 50ms --rate 20/s --tool echo --args '{"m":1}' {url}`,
		"--no-validate", `server: .*"m":1`},
	"prompts get --arg": {"prompts get greet {url}", "--arg name=probe",
		`server: .*"name":"probe"`},
	"raw --bare": {"raw tools/list --protocol 2025-11-25 {url}", "--bare",
		`!server: .*initialize`},
	"raw --body": {"raw {flag} {url}",
		`--body '{"jsonrpc":"2.0","id":77,"method":"ping"}'`, `server: .*"id":77`},
	"raw --notify": {"raw notifications/probe --wait 50ms {url}", "--notify",
		`server: POST X-Probe= \{"jsonrpc":"2.0","method":"notifications/probe"`},
	"report --format": {"report {dir}/report.json", "--format tap", `stdout: TAP version`},
	"report merge --format": {"report merge {dir}/report.json", "--format tap",
		`stdout: TAP version`},
	"run --filter":   {"run {dir}/suite.yaml --list", "--filter second", `!first`},
	"run --list":     {"run {dir}/suite.yaml", "--list", `!server: `},
	"run --tag":      {"run {dir}/suite.yaml --list", "--tag quick", `!first`},
	"run --skip-tag": {"run {dir}/suite.yaml --list", "--skip-tag quick", `!second`},
	"run --reporter": {"run {dir}/suite.yaml", "--reporter tap={dir}/out.tap",
		`file out.tap: TAP version`},
	"run --shard":          {"run {dir}/suite.yaml --list", "--shard 1/2", `!(?s)first.*second`},
	"run --config":         {"run {dir}/named.yaml", "--config {dir}/servers.json", `server: POST`},
	"schema-lint --format": {"schema-lint demo", "--format tap", `stdout: TAP version`},
	"schema-lint --rules":  {"schema-lint demo-flawed", "--rules SCH-001", `!QUAL-`},
	"schema-lint --skip": {"schema-lint demo-flawed --rules SCH-001,SCH-003", "--skip SCH-003",
		`!SCH-003`},
	"schema-lint --fix": {"schema-lint demo-flawed", "--fix", `stdout: \{`},
	"serve --install":   {"serve --yes", "--install cursor", `file .cursor/mcp.json: `},
	"servers --config":  {"servers", "--config {dir}/servers.json", `stdout: probe`},
	"tools call --arg": {"tools call echo {url}", "--arg message=probe",
		`server: .*"message":"probe"`},
	"tools call --args": {"tools call echo {url}", `--args '{"message":"probe"}'`,
		`server: .*"message":"probe"`},
	"tools call --example": {"tools call echo {url}", "--example", `server: .*"message":"`},
	"tools call --no-validate": {`tools call echo --args '{"m":1}' {url}`, "--no-validate",
		`server: .*"m":1`},
	"check --format": {"check --budget 2s {url}", "--format tap", `stdout: TAP version`},
	"check --html": {"check --budget 2s {url}", "--html {dir}/check.html",
		`file check.html: <!`},
	"check --all": {"check --config {dir}/servers.json --budget 2s", "--all",
		`server: POST`},
	"gateway --config": {"gateway --store {dir}/g.db", "--config {dir}/servers.json",
		`server: POST`},
	"catalog export --server": {"catalog export --store {dir}/c.db", "--server nosuch", `!brew_tea`},
	"catalog export --tag":    {"catalog export --store {dir}/c.db", "--tag nosuch", `!brew_tea`},
	"catalog export --annotation": {"catalog export --store {dir}/c.db", "--annotation readOnlyHint",
		`!brew_tea`},
	"catalog list --server": {"catalog list --store {dir}/c.db", "--server nosuch", `!brew_tea`},
	"catalog list --tag":    {"catalog list --store {dir}/c.db", "--tag nosuch", `!brew_tea`},
	"catalog list --annotation": {"catalog list --store {dir}/c.db", "--annotation readOnlyHint",
		`!brew_tea`},
	"catalog search --server": {"catalog search tea --store {dir}/c.db", "--server nosuch",
		`!brew_tea`},
	"catalog search --tag": {"catalog search tea --store {dir}/c.db", "--tag nosuch", `!brew_tea`},
	"catalog search --annotation": {"catalog search tea --store {dir}/c.db", "--annotation readOnlyHint",
		`!brew_tea`},
	"catalog search --also":  {"catalog search nothing --store {dir}/c.db", "--also tea", `brew_tea`},
	"catalog search --store": {"catalog search tea", "--store {dir}/c.db", `brew_tea`},
	"catalog list --store":   {"catalog list", "--store {dir}/c.db", `brew_tea`},
	"catalog export --store": {"catalog export", "--store {dir}/c.db", `brew_tea`},
	"catalog show --store":   {"catalog show brew_tea", "--store {dir}/c.db", `stdout: .`},
	"catalog remove --store": {"catalog remove brew_tea", "--store {dir}/c.db", `exit 0`},
}

// withoutProof are flags whose effect cannot be shown here, and why.
var withoutProof = map[string]string{
	"gateway --stdio": "it is the default without --listen, so that it changes nothing",
	"auth --allow-private": "the server would need a public name and a certificate; the tests of " +
		"internal/protocol/auth show it",
}

// What the recording server receives of a disruptive check, and of a call of the tool that is not safe.
const (
	malformed   = `server: POST X-Probe= \{"jsonrpc":"2.0","id":1,"method":\n`
	callsChange = `server: .*"tools/call".*"name":"change"`
)

// A scene is where a proof is tried: files, servers, and what they received.
type scene struct {
	t      *testing.T
	dir    string
	plain  *recorder
	lazy   *recorder
	names  *strings.Replacer
	record string // of the process

	terminal bool   // commands write to a terminal
	typed    string // what the user types there
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, dir: t.TempDir(), plain: &recorder{}}
	slow := &recorder{slow: 700 * time.Millisecond}
	s.lazy = &recorder{lazy: 700 * time.Millisecond}
	mute := &recorder{lazy: 4 * time.Second}
	url, lazy := startHTTP(t, s.plain, false), startHTTP(t, s.lazy, false)
	remote := startRemote(t, s.plain)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s.record = filepath.Join(s.dir, "received")
	s.names = strings.NewReplacer("{dir}", s.dir, "{url}", url, "{tls}", startHTTP(t, s.plain, true), "{slow}",
		startHTTP(t, slow, false),
		"{recorder}", self+" "+asRecorder+" "+s.record, "{origin}", strings.TrimSuffix(url, "/mcp"), "{remote}", remote,
		"{lazy}", lazy,
		"{mute}", startHTTP(t, mute, false), "{port}", callbackPort)
	for name, text := range map[string]string{
		"servers.json": `{"mcpServers":{"probe":{"url":"` + url + `"}}}`,
		"process.json": `{"mcpServers":{"process":{"command":"` + self + `","args":["` + asRecorder + `","` +
			s.record + `"]}}}`,
		"tools.json":   `{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`,
		"answers.json": `{"roots":[{"uri":"file:///probe-root"}]}`,
		"suite.yaml": "servers: {main: {url: '" + url +
			"'}}\ntools:\n  - {name: first, tool: echo, args: {message: hi}}\n  - {name: second, tool: echo, args: " +
			"{message: hi}, tags: [quick]}\n",
		"named.yaml":  "servers: {main: probe}\ntools: [{tool: echo, args: {message: hi}}]\n",
		"faults.yaml": "faults: ['tools/list:20%:cut']\n",
		"tea.json": `{"name":"brew_tea","server":"kitchen","description":"Brews tea.",` +
			`"parameters":{"type":"object"},"tags":["drinks"],"run":{"func":"brew"}}`,
		"coffee.json": `{"name":"brew_coffee","server":"kitchen","description":"Brews coffee or tea.",` +
			`"parameters":{"type":"object"},"run":{"func":"brew"}}`,
		"secret.yaml": "servers: {main: {url: '" + url +
			"', headers: {X-Api-Key: hunter2hunter2}}}\ntools: [{tool: echo, args: {message: hi}}]\n",
		"secret.json": `{"mcpServers":{"probe":{"url":"` + url + `","headers":{"X-Api-Key":"hunter2hunter2"}}}}`,
		"failing.yaml": "servers: {main: {url: '" + url + "'}}\ntools:\n" +
			strings.Repeat("  - {tool: echo, args: {message: hi}, expect: {exact: 1}}\n", 2),
		"old.yaml": "servers: {main: demo}\ntools:\n  - tool: echo\n    args: {message: hi}\n    answers: " +
			"{roots: [{uri: 'file:///x'}]}\n",
		"folder/x":      "",
		"approved.lock": `{"lockfile":1,"servers":{"probe":{"name":"before"}}}`,
		"assertion":     "probe-assertion",
		"unsafe.yaml": "servers: {main: {url: '" + url +
			"'}}\nfuzz: [{name: f, with: {tool: [change], cases: 2}}]\nperformance: [{name: p, with: {tool: change, " +
			"duration: 50ms, rate: 20/s}}]\n",
		"remote.yaml": "servers: {main: {url: '" + remote +
			"'}}\nperformance: [{name: p, with: {tool: echo, duration: 50ms, rate: 20/s}}]\n",
		"lazy.yaml": "run_options: {parallel: auto}\nservers: {main: {url: '" + lazy +
			"'}}\ntools:\n  - {name: first, tool: echo, args: {message: hi}}\n  - {name: second, tool: echo, args: " +
			"{message: hi}}\n" +
			"  - {name: third, tool: echo, args: {message: hi}}\n  - {name: fourth, tool: echo, args: {message: hi}}\n",
	} {
		file := filepath.Join(s.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// callbackPort is a port that is free on most machines.
const callbackPort = "48213"

// startRemote serves the recorder under an address that is not that of localhost, and returns its URL.
func startRemote(t *testing.T, r *recorder) string {
	t.Helper()
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: r}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	addresses, _ := net.InterfaceAddrs()
	for _, address := range addresses {
		if ip, _, err := net.ParseCIDR(address.String()); err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() {
			return "http://" + net.JoinHostPort(ip.String(), port) + "/mcp"
		}
	}
	return "no-address-besides-localhost"
}

// quarantine makes a catalog in which a definition waits for an approval.
func (s *scene) quarantine(file string) {
	s.t.Helper()
	shelf, err := store.Open(s.t.Context(), file)
	if err != nil {
		s.t.Fatal(err)
	}
	tools, err := catalog.Open(s.t.Context(), shelf, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	definition := []byte(`{"name":"brew_tea","inputSchema":{"type":"object"}}`)
	err = tools.Propose(s.t.Context(), []catalog.Proposal{{
		ID:        catalog.ReviewID{Server: "kitchen", Kind: quarantine.Tool, Name: "brew_tea"},
		Candidate: &catalog.Candidate{Hash: change.Hash(definition), Reason: catalog.ReasonNew, Definition: definition},
	}})
	if err := errors.Join(err, tools.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// prepare makes what a command line needs besides the files of every scene.
func (s *scene) prepare(line string) {
	s.t.Helper()
	if strings.Contains(line, "c.db") {
		s.run("catalog add {dir}/tea.json --store {dir}/c.db", nil)
	}
	if strings.Contains(line, "waiting.db") {
		s.quarantine(filepath.Join(s.dir, "waiting.db"))
	}
	if strings.Contains(line, "two.db") {
		s.run("catalog add {dir}/tea.json --store {dir}/two.db", nil)
		s.run("catalog add {dir}/coffee.json --store {dir}/two.db", nil)
	}
	if strings.Contains(line, "all.json") {
		out := s.run("catalog export --store {dir}/c.db", nil)
		_, rest, _ := strings.Cut(out, "stdout: ")
		rest, _, _ = strings.Cut(rest, "\nstderr:")
		_ = os.WriteFile(filepath.Join(s.dir, "all.json"), []byte(rest), 0o600)
	}
	if strings.Contains(line, "changed.json") {
		out := s.run("catalog export --store {dir}/c.db", nil)
		_, rest, _ := strings.Cut(out, "stdout: ")
		rest, _, _ = strings.Cut(rest, "\nstderr:")
		_ = os.WriteFile(filepath.Join(s.dir, "changed.json"),
			[]byte(strings.ReplaceAll(rest, "Brews tea.", "Brews strong tea.")), 0o600)
	}
	if strings.Contains(line, "accepted.json") {
		s.run("lint {dir}/old.yaml --write-baseline --baseline {dir}/accepted.json", nil)
	}
	if strings.Contains(line, "timings.json") {
		s.run("run {dir}/lazy.yaml --reporter json={dir}/timings.json", nil)
		file := filepath.Join(s.dir, "timings.json")
		text, _ := os.ReadFile(file)
		took := regexp.MustCompile(`(/(first|second|third|fourth)",\s*"elapsed_ns": ?)\d+`).ReplaceAll(text,
			[]byte("${1}1"))
		took = regexp.MustCompile(`(/first",\s*"elapsed_ns": ?)1`).ReplaceAll(took, []byte("${1}9000000000"))
		_ = os.WriteFile(file, took, 0o600)
	}
	if strings.Contains(line, "report.json") {
		s.run("run {dir}/failing.yaml --reporter json={dir}/report.json", nil)
	}
	if strings.HasPrefix(line, "tap install") || strings.HasPrefix(line, "tap remove") {
		_ = os.MkdirAll(filepath.Join(s.dir, ".cursor"), 0o700)
		_ = os.WriteFile(filepath.Join(s.dir, ".cursor", "mcp.json"),
			[]byte(`{"mcpServers":{"probe":{"command":"true"}}}`), 0o600)
	}
	if strings.HasPrefix(line, "tap remove") {
		s.run("tap install cursor probe --yes", nil)
	}
	if strings.HasPrefix(line, "tap view") || strings.HasPrefix(line, "tap export") {
		s.run(`tap -- echo '{"jsonrpc":"2.0","method":"notifications/probe"}'`, nil)
	}
	if strings.Contains(line, "called.jsonl") {
		s.run("tools call write_note --arg text=x demo --transcript {dir}/called.jsonl", nil)
	}
	if strings.Contains(line, "frames.jsonl") {
		s.run("tools list {url} --header 'X-Api-Key: hunter2hunter2' --no-redact --transcript {dir}/frames.jsonl", nil)
	}
}

// words splits a command line at spaces, except within single quotes.
func words(line string) []string {
	var all []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// A buffer is written by a command while the test reads it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// mockInput is what a client of a mock sends.
const mockInput = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"x"}}}` + "\n"

// run runs a command line, and returns all that it did: exit status, output, files, and what servers received. A
// command that does not end is stopped when the outcome is enough, or after a while.
func (s *scene) run(line string, enough func(string) bool) string {
	s.t.Helper()
	before := s.files()
	received := s.received()
	var stdout, stderr buffer
	system := target.System{Environ: os.Environ()}
	system.GOOS, system.Home, system.Dir = "linux", s.dir, s.dir
	system.Lookup = func(name string) (string, bool) { return "", false }
	system.LookPath = func(name string) (string, error) { return name, nil }
	env := &cli.Env{Args: words(s.names.Replace(line)), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" }, System: system}
	drain := func() {}
	if strings.HasPrefix(line, "gateway") {
		waits, end := io.Pipe()
		defer end.Close()
		env.Stdin = waits
	}
	if s.terminal {
		var screen *os.File
		screen, drain = openTerminal(s.t, &stdout, s.typed)
		env.Stdout, env.Stderr = screen, screen
		if s.typed != "" {
			env.Stdin = screen
		}
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 20*time.Second)
	defer cancel()
	done := make(chan int, 1)
	go func() { done <- cli.Run(ctx, env) }()
	probed := ""
	outcome := func(code string) string {
		if now := s.probes(stdout.String() + stderr.String()); now != "" {
			probed = now // the last, before the command ended
		}
		text := fmt.Sprintf("exit %s\nstdout: %s\nstderr: %s\n%s", code, stdout.String(), stderr.String(),
			strings.TrimPrefix(s.received(), received)) + probed
		for name, content := range s.files() {
			if before[name] != content {
				text += fmt.Sprintf("file %s: %s\n", name, content)
			}
		}
		return text
	}
	if strings.HasPrefix(line, "mock {dir}/frames.jsonl") {
		env.Stdin = strings.NewReader(mockInput)
	}
	serves := slices.ContainsFunc([]string{"inspect", "gateway", "demo", "serve --listen", "tap {url}", "mock --from"},
		func(name string) bool { return strings.HasPrefix(line, name) }) ||
		strings.Contains(line, "--watch") || strings.HasPrefix(line, "auth {origin}")
	var stop <-chan time.Time
	if serves {
		stop = time.After(3 * time.Second)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case code := <-done:
			drain()
			return outcome(fmt.Sprint(code))
		case <-stop:
			cancel()
		case <-tick.C:
			if serves && enough != nil && enough(outcome("")) {
				stop = nil
				cancel()
			}
		}
	}
}

var served = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/(?:#token=(\S+)|mcp)`)

// probes sends requests to a server that a command serves, and returns what it responds: to another name of the host,
// to a page of another origin, and the connections of the inspector.
func (s *scene) probes(output string) string {
	m := served.FindStringSubmatch(output)
	if m == nil {
		return ""
	}
	ask := func(what, path string, with func(*http.Request)) string {
		req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, m[1]+path, nil)
		if err != nil {
			return ""
		}
		with(req)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return ""
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(res.Body, 10000))
		if m[2] == "" {
			text = fmt.Append(nil, res.StatusCode)
		}
		return fmt.Sprintf("probe of the %s: %s\n", what, text)
	}
	if m[2] != "" {
		return ask("links", "/api/links", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+m[2]) })
	}
	return ask("host", "/mcp", func(r *http.Request) { r.Host = "tunnel.example:443" }) +
		ask("origin", "/mcp", func(r *http.Request) { r.Header.Set("Origin", "https://page.example") })
}

// received is what the servers of the scene received so far.
func (s *scene) received() string {
	lines, _ := os.ReadFile(s.record)
	return string(lines) + s.plain.seen() + s.lazy.seen()
}

// files are the small files of the scene with their content.
func (s *scene) files() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && path != s.record && !strings.Contains(path, ".db") {
			text, _ := os.ReadFile(path)
			name, _ := filepath.Rel(s.dir, path)
			all[name] = string(text)
		}
		return nil
	})
	return all
}

// try shows a proof.
func (p proof) try(t *testing.T) {
	t.Helper()
	want, only := strings.CutPrefix(p.want, "!")
	match := regexp.MustCompile(want)
	line := p.line
	if !strings.Contains(line, "{flag}") {
		line += " {flag}"
		if before, command, found := strings.Cut(p.line, " -- "); found {
			line = before + " {flag} -- " + command
		}
	}
	var outcomes [2]string
	for i, flag := range []string{"", p.flag} {
		s := newScene(t)
		s.prepare(line + p.flag)
		s.terminal = strings.Contains(p.flag, "--no-color")
		if strings.Contains(p.flag, "--interactive") {
			s.terminal, s.typed = true, "probe\n"
		}
		expected := (i == 1) != only
		outcomes[i] = s.run(strings.Replace(line, "{flag}", flag, 1),
			func(text string) bool { return expected && match.MatchString(text) })
	}
	if match.MatchString(outcomes[0]) != only || match.MatchString(outcomes[1]) == only {
		t.Errorf("%s %s: no effect: expected %q\nwithout it: %.1500s\nwith it: %.1500s", p.line, p.flag, p.want,
			outcomes[0], outcomes[1])
	}
}

// listed calls do for every flag that a command lists.
func listed(cmd *cobra.Command, do func(command string, f *pflag.Flag)) {
	if cmd.Runnable() && !cmd.Hidden && cmd.HasParent() && cmd.Name() != "help" {
		cmd.InitDefaultHelpFlag()
		seen := func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				do(strings.TrimPrefix(cmd.CommandPath(), "mcptest "), f)
			}
		}
		cmd.LocalFlags().VisitAll(seen)
		cmd.InheritedFlags().VisitAll(seen)
	}
	for _, sub := range cmd.Commands() {
		listed(sub, do)
	}
}

// TestFlags walks all commands and all flags that they list, and shows that each flag has its effect on each command. A
// flag without a proof fails.
func TestFlags(t *testing.T) {
	elsewhere := shownElsewhere(t)
	lists := func(command, flag string) bool {
		cmd, _, err := cli.Commands().Find(strings.Fields(command))
		f := cmd.Flag(flag)
		return err == nil && f != nil && !f.Hidden
	}
	left := maps.Clone(withoutProof)
	listed(cli.Commands(), func(command string, f *pflag.Flag) {
		name := command + " --" + f.Name
		if _, ok := left[name]; ok {
			delete(left, name)
			if _, proven := proofs[name]; proven || elsewhere[name] {
				t.Errorf("%s has a proof; remove it from withoutProof", name)
			}
			return
		}
		own, single := proofs[name]
		many, shared := common[f.Name]
		base, based := bases[command]
		switch {
		case single:
			t.Run(name, func(t *testing.T) { t.Parallel(); own.try(t) })
		case shared && based && !elsewhere[name]:
			line := strings.ReplaceAll(base, "{target}", many.at)
			if many.more != "" && lists(command, "trace") {
				line = strings.Replace(line, command, command+" "+many.more, 1)
			}
			t.Run(name, func(t *testing.T) { t.Parallel(); proof{line, many.flag, many.want}.try(t) })
		case elsewhere[name]:
		default:
			t.Errorf("%s: no proof of its effect; add one to proofs, or a test to testdata/flags.txt", name)
		}
	})
	if len(left) > 0 {
		t.Errorf("withoutProof has flags that no command lists: %q", left)
	}
}

// shownElsewhere reads the list of flags whose effect other tests show: the command and flag, and the file with the
// test.
func shownElsewhere(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("testdata/flags.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		name, file, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		_, flag, _ := strings.Cut(name, " --")
		test, err := os.ReadFile(filepath.Join("../../..", file))
		if err != nil || !strings.Contains(string(test), "--"+flag) {
			t.Errorf("%s: %s does not use the flag (%v)", name, file, err)
		}
		all[name] = true
	}
	return all
}

// TestRefusedFlags expects a flag that has no effect on a command to be rejected with the reason.
func TestRefusedFlags(t *testing.T) {
	s := newScene(t)
	for line, want := range map[string]string{
		"explain SCH-001 --trace": "--trace has no effect on mcptest explain\nhint: remove --trace: " +
			"it is for commands that exchange messages with a server",
		"--transcript {dir}/x explain SCH-001":    "--transcript has no effect on mcptest explain",
		"version --answer {dir}/answers.json":     "--answer has no effect on mcptest version",
		"report {dir}/report.json --no-redact":    "--no-redact has no effect on mcptest report",
		"demo --json":                             "--json has no effect on mcptest demo",
		"conform --log-level debug demo":          "unknown flag: --log-level",
		"auth status --env A=b https://x.example": "unknown flag: --env",
		"auth status -- sh":                       "unexpected command after --",
	} {
		got := s.run(line, nil)
		if !strings.HasPrefix(got, "exit 2\n") || !strings.Contains(got, want) {
			t.Errorf("%s: %s; expected %q", line, got, want)
		}
	}
}

// openTerminal opens a terminal whose output goes to a writer, and returns what closes it and waits for the last
// output.
func openTerminal(t *testing.T, to io.Writer, typed string) (screen *os.File, drain func()) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("skipped: no terminals: %v", err)
	}
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skipf("skipped: no terminals: %v", err)
	}
	if _, err := io.WriteString(ours, typed); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() { _, _ = io.Copy(to, ours); close(read) }()
	return screen, func() {
		if typed != "" {
			_, _ = io.WriteString(ours, "\x04") // ends a read that would keep the terminal open
		}
		_ = screen.Close()
		<-read
		_ = ours.Close()
	}
}
