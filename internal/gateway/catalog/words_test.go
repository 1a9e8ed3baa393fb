package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"readFile":              "read file",
		"HTTPServer parseURLs":  "http server parse urls",
		"page2 of 10":           "page 2 of 10",
		"list_s3_buckets":       "list s3 buckets",
		"getS3Object":           "get s3 object",
		"K8s pods, k8s-cluster": "k8s pods k8s cluster",
		"EC2 to mp4, h264":      "ec2 to mp4 h264",
		"utf8 sha256 base64":    "utf 8 sha 256 base 64",
		"3d 2FA b2b":            "3d 2fa b2b",
		"s3":                    "s3",
		"über2 naïve":           "über 2 naïve",
		"100USD":                "100 usd",
		"查找天气":                  "查 找 天 气",
		"x1y2z3":                "x 1 y 2 z 3",
	} {
		var got []string
		eachWord(text, func(w string) { got = append(got, w) })
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: got %q, expected %q", text, got, want)
		}
	}
}
