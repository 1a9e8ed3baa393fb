package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

// The tokens whose hashes are in the examples.
const (
	exampleToken    = "change-me-before-use"
	prometheusToken = "change-me-for-metrics"
)

// example reads a file of examples/gateway.
func example(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "examples", "gateway", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A deployment is how an example starts a gateway.
type deployment struct {
	args   []string
	config string
	stop   time.Duration // how long it may take to stop; 0 if the example does not say
	store  string        // a database for replicas; "" means that there is one gateway only
}

// flag is the value of a flag, as --name value or --name=value.
func (d *deployment) flag(name string) string {
	for i, arg := range d.args {
		if value, ok := strings.CutPrefix(arg, "--"+name+"="); ok {
			return value
		}
		if arg == "--"+name && i+1 < len(d.args) {
			return d.args[i+1]
		}
	}
	return ""
}

func line(t *testing.T, text, prefix string) string {
	t.Helper()
	for l := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(l), prefix); ok {
			return value
		}
	}
	t.Fatalf("no line with %q", prefix)
	return ""
}

func seconds(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func systemdExample(t *testing.T) deployment {
	unit := example(t, "systemd/mcptest-gateway.service")
	if tool, err := exec.LookPath("systemd-analyze"); err == nil {
		file := filepath.Join(t.TempDir(), "mcptest-gateway.service")
		runs := strings.Replace(unit, "/usr/bin/mcptest", "/bin/true", 1)
		if err := os.WriteFile(file, []byte(runs), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(tool, "verify", "--man=no", file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("systemd-analyze verify: %v\n%s", err, out)
		}
	}
	return deployment{args: strings.Fields(line(t, unit, "ExecStart=/usr/bin/mcptest ")), config: example(t, "mcp.json"),
		stop: seconds(t, line(t, unit, "TimeoutStopSec="))}
}

func dockerExample(t *testing.T) deployment {
	file := example(t, "docker/Dockerfile")
	var entry, cmd []string
	if err := json.Unmarshal([]byte(line(t, file, "ENTRYPOINT ")), &entry); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(line(t, file, "CMD ")), &cmd); err != nil {
		t.Fatal(err)
	}
	return deployment{args: append(entry[1:], cmd...), config: example(t, "mcp.json")}
}

func composeExample(t *testing.T) deployment {
	var file struct {
		Services map[string]struct {
			Command []string
			Stop    string `yaml:"stop_grace_period"`
			Volumes []string
		}
	}
	if err := yaml.Unmarshal([]byte(example(t, "docker/compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	for name, s := range file.Services {
		for _, volume := range s.Volumes {
			if from, _, _ := strings.Cut(volume, ":"); strings.HasPrefix(from, "..") {
				if _, err := os.Stat(filepath.Join("..", "..", "examples", "gateway", "docker", from)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	s := file.Services["gateway-2"]
	return deployment{args: s.Command, config: example(t, "mcp.json"), stop: seconds(t, s.Stop)}
}

func kubernetesExample(t *testing.T) deployment {
	var d deployment
	for part := range strings.SplitSeq(example(t, "kubernetes/gateway.yaml"), "\n---\n") {
		var file struct {
			Kind       string
			StringData map[string]string `yaml:"stringData"`
			Spec       struct {
				Template struct {
					Spec struct {
						Grace      int `yaml:"terminationGracePeriodSeconds"`
						Containers []struct {
							Args  []string
							Ready struct {
								Get              struct{ Path string } `yaml:"httpGet"`
								PeriodSeconds    int                   `yaml:"periodSeconds"`
								FailureThreshold int                   `yaml:"failureThreshold"`
							} `yaml:"readinessProbe"`
						}
					}
				}
			}
		}
		if err := yaml.Unmarshal([]byte(part), &file); err != nil {
			t.Fatal(err)
		}
		switch file.Kind {
		case "Secret":
			d.config = file.StringData["mcp.json"]
		case "StatefulSet":
			pod := file.Spec.Template.Spec
			probe := pod.Containers[0].Ready
			d.args, d.stop = pod.Containers[0].Args, time.Duration(pod.Grace)*time.Second
			notices := time.Duration(probe.PeriodSeconds*probe.FailureThreshold) * time.Second
			if delay := seconds(t, d.flag("drain-delay")); probe.Get.Path != "/readyz" || notices >= delay {
				t.Errorf("the readiness check of %s takes %v, the gateway accepts calls for %v", probe.Get.Path, notices,
					delay)
			}
		}
	}
	return d
}

// Each example starts a gateway that serves its callers, and has the time that it needs to shut down.
func TestExampleDeployments(t *testing.T) {
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(*testing.T) deployment{"systemd": systemdExample, "docker": dockerExample,
		"compose": composeExample, "kubernetes": kubernetesExample} {
		t.Run(name, func(t *testing.T) {
			d := read(t)
			d.share(t)
			if d.stop > 0 && d.stop < seconds(t, d.flag("drain-delay"))+seconds(t, d.flag("drain-timeout"))+10*time.Second {
				t.Errorf("%v to stop is too short for %v", d.stop, d.args)
			}
			g := startExample(t, binary, d)
			g.ready(t, exampleToken, "demo__echo")
			g.stops(t)
		})
	}
}

// share gives replicas a database, where there is one for tests.
func (d *deployment) share(t *testing.T) {
	t.Helper()
	if d.flag("replica-url") != "" && (os.Getenv("MCPTEST_POSTGRES") != "" || os.Getenv("MCPTEST_REQUIRE_POSTGRES") != "") {
		d.store = postgres.Fresh(t)
	}
}

// freeAddress is an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// startExample starts the gateway of an example, with another address and files of this machine.
func startExample(t *testing.T, binary string, d deployment) *gateway {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("left out: processes are stopped by signals here")
	}
	dir := t.TempDir()
	g := &gateway{config: filepath.Join(dir, "mcp.json")}
	config := strings.ReplaceAll(d.config, `"command": "mcptest"`, fmt.Sprintf(`"command": %q`, binary))
	g.write(t, config)
	listen := freeAddress(t)
	if d.store == "" {
		d.store = "memory"
		d.args = slices.DeleteFunc(d.args, func(arg string) bool { return strings.HasPrefix(arg, "--replica-url=") })
	}
	for name, value := range map[string]string{"config": g.config, "listen": listen, "store": d.store,
		"replica-url": "http://" + listen, "audit": filepath.Join(dir, "audit.jsonl"), "drain-delay": "1s"} {
		if given := d.flag(name); given != "" {
			for i := range d.args {
				d.args[i] = strings.Replace(d.args[i], given, value, 1)
			}
		}
	}
	g.launch(t, false, binary, d.args...)
	return g
}

// stops sends SIGTERM and waits until the gateway has ended as it should.
func (g *gateway) stops(t *testing.T) {
	t.Helper()
	if err := g.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-g.exited:
		if err != nil {
			t.Errorf("%v\n%s", err, g.log)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not stop")
	}
}

// The metrics of alerts and the dashboard exist, and the caller of Prometheus reads them by the names of the targets.
func TestExampleMetrics(t *testing.T) {
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	g := startExample(t, binary, composeExample(t))
	g.ready(t, exampleToken, "demo__echo")
	if status, _, err := g.call(t.Context(), "wrong", "demo__echo", `{}`); err != nil || status != 401 {
		t.Errorf("a wrong token: %d %v", status, err)
	}
	if _, body, err := g.call(t.Context(), prometheusToken, "demo__echo", `{"message":"hi"}`); err != nil ||
		!strings.Contains(body, "Unknown tool") {
		t.Errorf("the caller of Prometheus: %s %v, want no tools", body, err)
	}
	var scrape struct {
		Configs []struct {
			Static []struct{ Targets []string } `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal([]byte(example(t, "prometheus/prometheus.yml")), &scrape); err != nil {
		t.Fatal(err)
	}
	metrics := ""
	for _, target := range scrape.Configs[0].Static[0].Targets {
		status, body := g.getAs(t, "/metrics", strings.TrimSpace(example(t, "prometheus/token")), target)
		if metrics = body; status != 200 {
			t.Errorf("%s: %d %s", target, status, body)
		}
	}
	metrics += "# TYPE mcptest_gateway_quarantined gauge" // only with a lock
	used := example(t, "prometheus/alerts.yml") + example(t, "grafana/dashboard.json")
	names := regexp.MustCompile(`mcptest_gateway_[a-z_]+`).FindAllString(used, -1)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) < 8 {
		t.Errorf("only %v", names)
	}
	for _, name := range names {
		base := strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_count") // of a histogram
		if !strings.Contains(metrics, "# TYPE "+base+" ") {
			t.Errorf("there is no metric %s", name)
		}
	}
}

// getAs is get with a Host header.
func (g *gateway) getAs(t *testing.T, path, token, host string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, strings.TrimSuffix(g.url, "/mcp")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b strings.Builder
	_ = resp.Write(&b)
	return resp.StatusCode, b.String()
}

// The examples of load balancers pass calls on, and lose none while one of two gateways shuts down. Without health
// checks, each process of nginx notices it by a call that it cannot pass on.
func TestExampleBalancers(t *testing.T) {
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"haproxy": {"-db", "-f", "CONFIG"}, "nginx": {"-p", "DIR", "-e", "stderr", "-c", "CONFIG", "-g", "daemon off;"}} {
		t.Run(name, func(t *testing.T) {
			program, err := exec.LookPath(name)
			if err != nil { // where only root has it in its PATH
				program, err = exec.LookPath("/usr/sbin/" + name)
			}
			if err != nil {
				t.Skip(name + " is not installed")
			}
			d := composeExample(t)
			d.share(t)
			again := d
			again.args = slices.Clone(d.args)
			one, two := startExample(t, binary, d), startExample(t, binary, again)
			one.ready(t, exampleToken, "demo__echo")
			two.ready(t, exampleToken, "demo__echo")
			front := balance(t, program, args, one, two)
			front.ready(t, exampleToken, "demo__echo")
			lost := map[string]int64{"nginx": int64(runtime.NumCPU())}[name]
			if failures := front.callsDuringStop(t, one, two); int64(len(failures)) > lost {
				t.Errorf("%d calls failed, want at most %d: %q", len(failures), lost, failures)
			}
		})
	}
}

// balance starts a load balancer in front of two gateways.
func balance(t *testing.T, program string, args []string, one, two *gateway) *gateway {
	t.Helper()
	file := map[string]string{"haproxy": "haproxy.cfg", "nginx": "nginx.conf"}[filepath.Base(program)]
	address := freeAddress(t)
	at := func(g *gateway) string { return strings.TrimSuffix(strings.TrimPrefix(g.url, "http://"), "/mcp") }
	dir := t.TempDir()
	config := strings.NewReplacer("gateway-1:6280", at(one), "gateway-2:6280", at(two), "bind :8080", "bind "+address,
		"listen 8080", "listen "+address, "/tmp/nginx.pid", filepath.Join(dir, "pid"), "inter 1s",
		"inter 100ms").Replace(example(t, file))
	path := filepath.Join(dir, file)
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, arg := range args {
		args[i] = strings.NewReplacer("CONFIG", path, "DIR", dir).Replace(arg)
	}
	cmd := exec.Command(program, args...)
	log := &syncBuffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	return &gateway{url: "http://" + address + "/mcp", log: log}
}

// callsDuringStop calls a tool all the time while the gateway that serves the caller shuts down, and returns the
// failures.
func (g *gateway) callsDuringStop(t *testing.T, behind ...*gateway) (failures []string) {
	t.Helper()
	var calls atomic.Int64
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-over:
				return
			default:
			}
			status, body, err := g.call(t.Context(), exampleToken, "demo__echo", `{"message":"hi"}`)
			if calls.Add(1); err != nil || !strings.Contains(body, `"text":"hi"`) {
				failures = append(failures, fmt.Sprint(calls.Load(), ": ", status, " ", body, err))
			}
		}
	}()
	served := func(b *gateway) int { return strings.Count(b.log.String(), `"tool call"`) }
	first, second := behind[0], behind[1]
	before := served(first)
	for deadline := time.Now().Add(10 * time.Second); calls.Load() < 20 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if served(first) == before { // the balancer has chosen the other one
		first, second = second, first
	}
	first.stops(t)
	last := served(second)
	for deadline := time.Now().Add(10 * time.Second); served(second) < last+20 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	close(over)
	<-done
	t.Logf("%d calls, %d failed", calls.Load(), len(failures))
	if served(second) < last+20 {
		t.Errorf("the other gateway got no calls\n%s", g.log)
	}
	return failures
}
