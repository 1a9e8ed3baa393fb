package httpapi

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A deadlined is a writer that knows until when it may be written to.
type deadlined struct {
	*httptest.ResponseRecorder
	until time.Time
}

// SetWriteDeadline is what a controller calls.
func (d *deadlined) SetWriteDeadline(t time.Time) error { d.until = t; return nil }

// TestTimeToTakeAnAnswer begins with the answer, however long the work before it took, and does not begin again.
func TestTimeToTakeAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &deadlined{ResponseRecorder: httptest.NewRecorder()}
		route := Route{handle: func(_ *Server, w http.ResponseWriter, _ *http.Request) error {
			time.Sleep(10 * writeTimeout)
			writeJSON(w, http.StatusOK, None{})
			time.Sleep(writeTimeout / 2)
			_, err := w.Write([]byte("\n"))
			return err
		}}
		(&Server{}).handler(route).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		if left := time.Until(w.until); left != writeTimeout/2 {
			t.Errorf("half a minute after the first byte the client has %v left; want %v", left, writeTimeout/2)
		}
	})
}
