package accounts

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// A Key encrypts accounts at rest.
type Key struct {
	id     [keyID]byte // which key encrypted a text; not secret
	cipher cipher.AEAD
}

const keyID = 8

// ParseKey reads a key of 32 bytes in base64 or hex.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	raw, err := hex.DecodeString(text)
	if err != nil {
		raw, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil || len(raw) != 32 {
		return Key{}, errors.New("expected 32 random bytes in base64 or hex; create them with: openssl rand -base64 32")
	}
	return newKey(raw)
}

// RandomKey returns a key for accounts that are lost when the process exits.
func RandomKey() Key {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails: it terminates the program instead
	k, err := newKey(raw)
	if err != nil {
		panic(err) // the length is valid
	}
	return k
}

func newKey(raw []byte) (Key, error) {
	block, err := aes.NewCipher(raw)
	if err != nil {
		return Key{}, err
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return Key{}, err
	}
	k := Key{cipher: gcm}
	sum := sha256.Sum256(append([]byte("mcptest key id "), raw...))
	copy(k.id[:], sum[:])
	return k, nil
}

// seal encrypts a text with the first key. It can be opened only for the same purpose: so one who can write to the store
// cannot give an account to another user.
func seal(keys []Key, purpose string, text []byte) []byte {
	k := keys[0]
	return k.cipher.Seal(append([]byte(nil), k.id[:]...), nil, text, []byte(purpose))
}

// open decrypts a text with the key that has encrypted it.
func open(keys []Key, purpose string, sealed []byte) ([]byte, error) {
	if len(sealed) < keyID {
		return nil, errors.New("the text is too short")
	}
	for _, k := range keys {
		if string(k.id[:]) == string(sealed[:keyID]) {
			return k.cipher.Open(nil, nil, sealed[keyID:], []byte(purpose))
		}
	}
	return nil, fmt.Errorf("it was encrypted with key %x, which is not configured", sealed[:keyID])
}
