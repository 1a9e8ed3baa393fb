package exposure

// networkFailures match what runtimes say if another host cannot be reached, in Node, Python, Go, Java and Rust.
var networkFailures = compile(`\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|` +
	`UnknownHostException)\b|\bgetaddrinfo |Name or service not known|Temporary failure in name resolution|no such host|` +
	`[Ff]ailed to establish a new connection|Max retries exceeded|All connection attempts failed|Cannot connect to host|` +
	`nodename nor servname|\bdial (?:tcp|udp) |error sending request for url|[Nn]etwork is unreachable|\bfetch failed\b|` +
	`Failed to fetch\b`)

// IsNetworkFailure reports whether a text says that another host cannot be reached: the arguments are not why.
func IsNetworkFailure(text string) bool { return networkFailures().MatchString(text) }
