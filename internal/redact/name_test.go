package redact

import "testing"

func TestSecretName(t *testing.T) {
	secret := []string{
		"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Mcp-Session-Id", "X-Api-Key", "x-api-key",
		"apikey",
		"APIKEY", "apiKey", "APIKey", "api_key_2", "access_token", "accessToken", "X-Auth-Token", "authtoken", "X-Auth",
		"client_secret", "SECRET", "secretKey", "password", "PGPASSWORD", "db_passwd", "DB_PASS", "DB_PWD",
		"passphrase",
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GITHUB_PAT", "GITHUB_TOKEN", "credentials",
		"X-Amz-Credential", "JSESSIONID", "PHPSESSID", "connect.sid", "KEY", "token", "X-Token-1", "TOKEN2", "session",
		"id_token", "tokenValue", "private_key", "SSH_PRIVATE_KEY", "OPENAI_API_KEY", "X-Goog-Api-Key", "_authToken",
	}
	for _, name := range secret {
		if !SecretName(name) {
			t.Errorf("SecretName(%q) = false, want true", name)
		}
	}
	ordinary := []string{
		"", "-", "Tokenizer", "X-Tokenizer", "TOKENIZERS_PARALLELISM", "monkey", "X-Monkey", "donkey", "Keyboard",
		"X-Keyboard-Layout", "keyword", "keywords", "Keynote", "secretary", "Hotkey", "turkey", "obsession", "Author",
		"authority",
		"Accept", "Content-Type", "Mcp-Method", "Mcp-Name", "MCP-Protocol-Version", "Sec-WebSocket-Key",
		"Idempotency-Key",
		"public_key", "publicKey", "primary_key", "primarykey", "max_tokens", "maxTokens", "input_tokens",
		"progressToken",
		"progresstoken", "token_endpoint", "token_type", "token_endpoint_auth_methods_supported", "tokenCount",
		"KEY_FILE",
		"PASSWORD_STORE_DIR", "SSH_AUTH_SOCK", "PWD", "OLDPWD", "PATH", "HOME", "Www-Authenticate", "nextPageToken",
		"compass",
	}
	for _, name := range ordinary {
		if SecretName(name) {
			t.Errorf("SecretName(%q) = true, want false", name)
		}
	}
}
