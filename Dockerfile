# mcptest and nothing else: no shell, no package manager, not root. It reaches servers by URL, and the built-in ones;
# servers that are programs need an image that has them, with this binary copied in:
#
#   COPY --from=ghcr.io/mcptest-dev/mcptest /usr/bin/mcptest /usr/bin/mcptest
#
# From a checkout:   docker build --target source -t mcptest .
# A release takes the last stage, with the binaries of the release.

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '-s -w' -o /mcptest ./cmd/mcptest

FROM gcr.io/distroless/static-debian12:nonroot AS source
COPY --from=build /mcptest /usr/bin/mcptest
ENTRYPOINT ["/usr/bin/mcptest"]

FROM gcr.io/distroless/static-debian12:nonroot
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/mcptest /usr/bin/mcptest
ENTRYPOINT ["/usr/bin/mcptest"]
