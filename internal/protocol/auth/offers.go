package auth

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Offers are the ways to get a token that a server offers to clients that it does not know.
type Offers struct {
	Metadata     bool // there is metadata of the server or of its authorization server
	Registration bool // clients can register themselves
	Documents    bool // client ID metadata documents are accepted
	Code         bool // users can agree: the grant authorization_code
}

// Offers reads from a rejected request to the metadata of the authorization server, and changes nothing there. An error
// about the metadata is an *Error.
func (f *Flow) Offers(ctx context.Context, refused wire.Frame) (*Offers, error) {
	r, err := f.resource(ctx, f.refusal(refused))
	if err != nil {
		return nil, err
	}
	as, err := f.authority(ctx, r)
	if err != nil {
		return nil, err
	}
	return &Offers{Metadata: !as.guessed, Registration: as.RegistrationEndpoint != "", Documents: as.ClientDocuments,
		Code: offers(as.GrantTypes, []string{AuthorizationCode, "implicit"}, AuthorizationCode)}, nil
}
