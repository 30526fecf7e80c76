# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && node scripts/build-sea.js /out/mop

# The image has the C library, but no shell and no package manager. The user is nonroot (65532).
FROM gcr.io/distroless/cc-debian12:nonroot
LABEL org.opencontainers.image.title="mop" \
      org.opencontainers.image.description="Sign requests to the mobility open platform, and fetch its bills" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /out/mop /usr/local/bin/mop
COPY --from=build /out/mop.LICENSES.txt /usr/share/doc/mop/LICENSES.txt
# Settings come from the environment; a configuration directory can be mounted at /config.
ENV MOP_CONFIG_DIR=/config
WORKDIR /bills
ENTRYPOINT ["mop"]
CMD ["--help"]
