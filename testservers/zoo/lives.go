package zoo

import "time"

// lives are processes with a faulty life cycle.
func lives() []Server {
	return append([]Server{
		{Name: "early-exit", Defect: "exits immediately",
			Script: "start\n\tstderr \"no configuration found\\n\"\n\texit 7",
			Sight: Sight{Connect: "exited with status 7", Stderr: "no configuration found",
				Hint: "run the command in a shell", Auto: true, Within: time.Second}},
		{Name: "exit-in-call", Defect: "exits in a call", Script: called(`stderr "panic: nil\n"`, "exit 2"),
			Sight: Sight{Call: "exited with status 2", Stderr: "panic: nil"}},
		{Name: "exit-139", Defect: "exits like a shell whose child crashed", Script: called("exit 139"),
			Sight: Sight{Call: "status 139 (signal 11"}},
		{Name: "hang-at-start", Defect: "never sends anything", Script: "start\n\thang",
			Sight: Sight{Connect: "initialize: no response within"}},
		{Name: "hang-in-call", Defect: "never responds to a call", Script: called("hang"),
			Sight: Sight{Call: "tools/call: no response within", Hint: "--timeout"}},
		{Name: "late-answer", Defect: "responds after the timeout",
			Script: but("on tools/call\n\tsleep 1500ms\n\tresult {}", "on tools/call\n\tresult {}"),
			Sight:  Sight{Call: "no response within", Again: true, Notice: "a request that timed out before"}},
		{Name: "stdout-closed", Defect: "closes stdout and keeps running", Script: called("close", "hang"),
			Sight: Sight{Call: "closed stdout but is still running"}},
		{Name: "never-reads", Defect: "stops reading its input",
			Script: but("on tools/list\n\tresult {\"tools\":[]}\n\tdeaf"),
			Sight: Sight{Items: -1, Usable: -1, Call: "did not read from stdin within",
				Args: `{"x":"` + fill(1<<20) + `"}`}},
		{Name: "answers-before-asked", Defect: "responds to requests before they are sent",
			Script: but("start\n\t" + `send {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`),
			Sight:  Sight{Notice: "a result with id 2, which matches no request"}},
		{Name: "notification-flood", Defect: "sends 50,000 notifications",
			Script: called(`repeat 50000 notify notifications/message {"level":"info","data":"x"}`, "result {}"),
			Sight:  Sight{Within: 8 * time.Second}},
		{Name: "list-changed-storm", Defect: "sends 20,000 list change notifications",
			Script: called(`repeat 20000 notify notifications/tools/list_changed {}`, "result {}"),
			Sight:  Sight{Within: 8 * time.Second}},
		{Name: "stderr-flood", Defect: "writes 50 MB to stderr",
			Script: called(`repeat 5000 stderr "`+fill(10_000)+`\n"`, `stderr "\x1b[31mthe end\n"`, "exit 1"),
			Sight:  Sight{Call: "exited with status 1", Stderr: "the end", Within: 8 * time.Second}},
		{Name: "exits-on-probe", Defect: "exits on an unknown method", Script: but("on server/discover\n\texit 1"),
			Sight: Sight{Auto: true}},
		{Name: "silent-on-probe", Defect: "ignores an unknown method", Script: but("on server/discover\n\tsleep 1ms"),
			Sight: Sight{Auto: true}},
		{Name: "silent-on-probe-and-ping", Defect: "ignores everything before initialize",
			Script: but("on server/discover\n\tsleep 1ms", "on ping\n\tsleep 1ms"), Sight: Sight{Auto: true}},
		{Name: "refuses-initialize", Defect: "rejects the handshake",
			Script: but("on initialize\n\tstderr \"no licence\\n\"\n\terror -32603 not today"),
			Sight: Sight{Connect: "rejected initialize: error -32603: not today", Stderr: "no licence",
				Hint: "--protocol"}},
		{Name: "no-version", Defect: "responds to initialize without a revision", Script: but(`on initialize
	result {"capabilities":{"tools":{}}}`), Sight: Sight{Notice: "returned no protocolVersion"}},
		{Name: "modern-version", Defect: "responds to initialize with a revision without a handshake",
			Script: but(`on initialize
	result {"protocolVersion":"2026-07-28","capabilities":{"tools":{}}}`), Sight: Sight{Notice: "a version without initialize"}},
	}, modes()...)
}

func fill(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}
