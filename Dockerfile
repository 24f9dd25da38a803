# syntax=docker/dockerfile:1
# The same bundle as on any server, x86-64. compose.yaml runs it behind Caddy; settings are in garba.env.

FROM node:24.21.0-bookworm AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc .node-version LICENSE tsconfig.base.json ./
COPY scripts scripts
COPY manifest manifest
COPY shared shared
COPY server/package.json server/tsconfig.json server/
COPY server/src server/src
COPY client/package.json client/tsconfig.json client/*.ts client/*.html client/
COPY client/src client/src
RUN npm run bundle -- /tmp/garba.tar.gz \
  && mkdir /opt/garba \
  && tar -xzf /tmp/garba.tar.gz -C /opt/garba --strip-components=1

FROM debian:12-slim
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home --home-dir /var/lib/garba --shell /usr/sbin/nologin garba \
  && install -d -m 700 -o garba -g garba /var/lib/garba
COPY --from=build /opt/garba /opt/garba
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  DATA_DIR=/var/lib/garba \
  BACKUP_DIR=/var/lib/garba/backups
USER garba
WORKDIR /var/lib/garba
VOLUME /var/lib/garba
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["/opt/garba/node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM lets requests end; the server gives them ten seconds.
CMD ["/opt/garba/garba", "serve"]
