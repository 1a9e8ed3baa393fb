package browser

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// A server that wants a token: the person goes the way step by step, agrees in a tab of its own, and connects.
func TestAuthorization(t *testing.T) {
	server := oauth.Start(t)
	p := protected(t, server.URL(""))
	p.says("[aria-label='Current credentials']", "none stored")
	p.press("Get a token")
	p.there("[data-step=authorization][data-state=waiting]")
	p.says("[data-step=authorization] .url-box", server.Issuer("")+"/authorize?client_id=")
	p.clickText("[data-step=authorization] a", "Open and authorize")
	p.there("[data-signin=done]")
	for _, step := range []string{"challenge", "resource-metadata", "server-metadata", "registration", "authorization",
		"callback", "token", "call"} {
		p.there("[data-step=" + step + "][data-state=ok]")
	}
	p.says("[aria-label='Current credentials']", server.Issuer(""))
	if text := p.sight(); strings.Contains(text, "canary-") {
		t.Errorf("a secret is on the page:\n%s", text)
	}
	p.press("Connect with token")
	p.there(".rail [aria-label=Connections] .dot.open")
	p.gone("[aria-label='Authorization steps'] .button.primary")
	p.press("Delete token")
	p.says("[aria-label='Current credentials']", "none stored")
}

// What happens to a token later can be tried: a refresh, an expired token, and a request that needs more scopes.
func TestAuthorizationTries(t *testing.T) {
	server := oauth.Start(t)
	p := protected(t, server.URL(""))
	p.press("Get a token")
	p.there("[data-step=authorization][data-state=waiting]")
	p.clickText("[data-step=authorization] a", "Open and authorize")
	p.there("[data-signin=done]")
	p.there("[aria-label='Try with the token'] button[disabled]")
	p.press("Try an expired token")
	p.there("[data-step=expired][data-state=ok]")
	p.says("[data-step=expired]", "the server rejected the token")
	p.there("[data-step=refresh][data-state=ok]")
	p.there("[data-step=call][data-state=ok]")
	p.press("Try a refresh")
	p.gone("[data-step=expired]")
	p.there("[data-step=refresh][data-state=ok]")
	p.click("details.stack > summary")
	p.fill(`[aria-label="Scopes"]`, "tools:read")
	p.press("Try more scopes")
	p.there("[data-step=authorization][data-state=waiting]")
	p.says("[data-step=authorization]", "scopes: tools:read;")
	if text := p.sight(); strings.Contains(text, "canary-") {
		t.Errorf("a secret is on the page:\n%s", text)
	}
}

// That any certificate is good enough holds for the connection with the token, too.
func TestAuthorizationWithAnyCertificate(t *testing.T) {
	p := protected(t, oauth.Start(t).URL(""))
	p.click("details.stack > summary")
	p.clickText("label", "Accept any server certificate (for local tests)")
	p.press("Get a token")
	p.there("[data-step=authorization][data-state=waiting]")
	p.clickText("[data-step=authorization] a", "Open and authorize")
	p.there("[data-signin=done]")
	p.press("Connect with token")
	p.gone(".rail [aria-label=Connections] .dot.failed")
	p.there(".rail [aria-label=Connections] .dot.open")
	p.visit("Servers")
	p.says("[data-testid=connection][data-state=open]", "any certificate")
}

// The step that failed shows what is wrong, what to do, and the exact answer; what is missing can be given there.
func TestAuthorizationFails(t *testing.T) {
	server := oauth.Start(t)
	p := protected(t, server.URL(oauth.RegistrationNone))
	p.press("Get a token")
	p.there("[data-signin=failed]")
	p.there("[data-step=registration][data-state=failed]")
	p.says("[data-step=registration]", "no registration_endpoint")
	p.says("[data-step=registration] a[href*='#dynamic-client-registration']", "RFC 7591")
	p.says("[data-step=registration]", "client ID")
	p.click("details.stack > summary")
	p.fill(`[aria-label="Client ID"]`, oauth.KnownID)
	p.fill(`[aria-label="Client secret"]`, oauth.KnownSecret)
	p.press("Get a token")
	p.there("[data-step=authorization][data-state=waiting]")
	p.clickText("[data-step=authorization] a", "Open and authorize")
	p.there("[data-signin=done]")
	if text := p.sight(); strings.Contains(text, oauth.KnownSecret) {
		t.Errorf("the client's secret is on the page:\n%s", text)
	}
}

// A list of flows that arrives late does not hide one that has failed in the meantime.
func TestAuthorizationLateList(t *testing.T) {
	server := oauth.Start(t)
	p := protected(t, server.URL(oauth.RegistrationNone))
	p.visit("Servers")
	p.until(`(() => {
		const real = window.fetch;
		window.fetch = async (url, options) => {
			const response = await real(url, options);
			if (String(url).endsWith("/api/auth") && (options?.method ?? "GET") === "GET")
				await new Promise((release) => (window.release = release));
			return response;
		};
		return true;
	})()`)
	p.press("Get a token")
	p.until("window.release !== undefined")
	p.press("Get a token")
	p.there("[data-signin=failed]")
	p.until(`(() => {
		window.release();
		setTimeout(() => (window.settled = true), 100);
		return true;
	})()`)
	p.until("window.settled")
	p.there("[data-signin=failed]")
}

// What the authorization server says byte for byte is there to be read, and a way that waits can be left.
func TestAuthorizationExchange(t *testing.T) {
	server := oauth.Start(t)
	p := protected(t, server.URL(oauth.TokenInvalid))
	p.press("Get a token")
	p.there("[data-step=authorization][data-state=waiting]")
	p.press("Stop")
	p.there("[data-signin=cancelled]")
	p.press("Get a token")
	p.there("[data-step=authorization][data-state=waiting]")
	p.clickText("[data-step=authorization] a", "Open and authorize")
	p.there("[data-step=token][data-state=failed]")
	p.says("[data-step=token]", `{"error":"invalid_grant","error_description":"the code has expired"}`)
	p.says("[data-step=token]", "start again")
}

// protected starts mcptest inspect with a server that refuses the connection, and goes to the view.
func protected(t *testing.T, target string) *viewPage {
	t.Helper()
	in := inspect(t, target)
	p := &viewPage{tab: open(t, in.address), inspector: in}
	p.there(".rail [aria-label=Connections] .dot.failed")
	p.visit("Servers")
	p.press("Get a token") // the way there from what went wrong
	p.there(`main[aria-label="Authorization"]`)
	return p
}
