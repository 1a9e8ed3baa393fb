package tap

import "golang.org/x/sys/windows"

// stillActive is the exit code of a process that runs.
const stillActive = 259

// alive reports whether a process exists.
func alive(pid int) bool {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	var code uint32
	return windows.GetExitCodeProcess(handle, &code) == nil && code == stillActive
}
