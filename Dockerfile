# The Node that the tests run on, on glibc: its builds for Alpine's musl are experimental, and its allocator is slower.
FROM node:24.21.0-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json ./
# Without install scripts, and so without the development packages that they would fetch.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY scripts/*.mjs scripts/
COPY scripts/clients scripts/clients
COPY scripts/patches scripts/patches
COPY clients clients
COPY docs docs
COPY src src
RUN npm run build && npm run runtime -- /app

FROM node:24.21.0-trixie-slim
# In production no demo key is accepted: a service on all addresses must not have a key that everyone knows.
ENV APP_ENV=production HOST=0.0.0.0 NODE_ENV=production
COPY --from=build /app /app
RUN ln -s /app/dist/main.js /usr/local/bin/outreach-forecast \
  && install --directory --mode=0700 --owner=node --group=node /data
# The user `node`, by number, so that Kubernetes can see that it is not root.
USER 1000:1000
# Puts the default database, data/outreach-forecast.db, into /data.
WORKDIR /
VOLUME /data
EXPOSE 3000
# Checks the process alone, because no restart helps while the database is away. It listens only after it has reached the
# database and migrated it. Load balancers poll /readyz. If there is a listener for the operator, the check uses that one: it
# responds even while the public one has as many connections as it can hold.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "const { ADMIN_HOST, ADMIN_PORT, PORT } = process.env; require('node:http').get({ host: (ADMIN_PORT && ADMIN_HOST) || '127.0.0.1', port: ADMIN_PORT || PORT || 3000, path: '/livez' }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# The first line of main.js sets the flags of Node and replaces itself with Node, so that signals reach the service.
ENTRYPOINT ["outreach-forecast"]
CMD ["serve"]
