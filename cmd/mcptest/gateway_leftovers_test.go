package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A gateway leaves no process and no temporary file behind, whether it is stopped or killed, and however its servers
// start others; and it keeps no file open for calls and sessions that are over.
func TestE11GatewayLeavesNothingBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: what is left is read from /proc")
	}
	for name, end := range map[string]syscall.Signal{"stopped": syscall.SIGTERM, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			temporary := t.TempDir()
			t.Setenv("TMPDIR", temporary)
			g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]},`+
				`"nest":{"command":"sh","args":["-c","sleep 1000 & (setsid sleep 1000 &) ; exec MCPTEST demo"]}}}`,
				"--open")
			g.ready(t, "", "demo__echo")
			g.ready(t, "", "nest__echo")
			ours, _ := filepath.Glob(filepath.Join(temporary, "*")) // of the test itself
			g.use(t)
			before := openFilesOf(g.cmd.Process.Pid)
			g.use(t)
			if after := openFilesOf(g.cmd.Process.Pid); after > before+3 { // a connection or two may be on its way
				t.Errorf("%d open files after more calls and sessions, %d before", after, before)
			}
			family := descendants(g.cmd.Process.Pid)
			if len(family) < 4 {
				t.Errorf("the gateway has the processes %v; want servers and what they have started", family)
			}
			_ = g.cmd.Process.Signal(end)
			select {
			case <-g.exited:
			case <-time.After(20 * time.Second):
				t.Fatal("it does not end")
			}
			for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
				left := alive(family)
				if len(left) == 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("left behind: %v", left)
				}
			}
			if now, _ := filepath.Glob(filepath.Join(temporary, "*")); len(now) > len(ours) {
				t.Errorf("temporary files %v, before %v", now, ours)
			}
		})
	}
}

// use makes calls in both eras and ends the sessions.
func (g *gateway) use(t *testing.T) {
	t.Helper()
	for i := range 30 {
		for protocol, header := range g.eras(t, "nest__echo") {
			body := echoCall(protocol, `"name":"nest__echo","arguments":{"message":"hi"}`)
			if status, _, answer := g.send(t, strings.NewReader(body), header...); status != 200 ||
				!strings.Contains(answer, "hi") {
				t.Fatalf("call %d: %d %s", i, status, answer)
			}
		}
	}
}

func openFilesOf(pid int) int {
	files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(files)
}

// descendants lists the processes that a process has started, and those that they have, by pid and when each began. One
// that was adopted by another is found by its group's ancestors no more; supervisors are ours and adopt all.
func descendants(pid int) map[int]string {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	began := map[int]string{}
	for _, file := range stats {
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		parent, start := statOf(id)
		children[parent] = append(children[parent], id)
		began[id] = start
	}
	all := map[int]string{}
	for queue := children[pid]; len(queue) > 0; queue = queue[1:] {
		all[queue[0]] = began[queue[0]]
		queue = append(queue, children[queue[0]]...)
	}
	return all
}

// statOf returns the parent of a process and when it began; 0 if it is gone or only its status waits to be read.
func statOf(pid int) (parent int, began string) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	at := strings.LastIndexByte(string(text), ')')
	if err != nil || at < 0 {
		return 0, ""
	}
	fields := strings.Fields(string(text[at+1:]))
	if len(fields) < 20 || fields[0] == "Z" {
		return 0, ""
	}
	parent, _ = strconv.Atoi(fields[1])
	return parent, fields[19]
}

// alive lists those processes that are still there.
func alive(family map[int]string) []int {
	var left []int
	for pid, began := range family {
		if _, now := statOf(pid); now != "" && now == began {
			left = append(left, pid)
		}
	}
	return left
}
