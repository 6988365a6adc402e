// Compares requests per second over HTTP in one run: forecasts and refusals of the service ("ours"), the same endpoint
// with Fastify and better-sqlite3 (the peer), the service's own work without Effect (the bound), and bare node:http (the
// limit). Databases lie on the disk of the temporary folder, and in memory, where no commit waits for a sync. The servers
// share one core and the load has the other. Rounds are short and interleaved, so that whatever else the machine does
// meets all servers alike, and medians count: ratios are medians of the ratios of each round. A short run:
// npm run bench -- --rounds 5 --only limit,ours
// Compared with an earlier commit:
// npm run bench -- --before HEAD~1 --only before,ours
import { bench } from "./http/bench.ts"
import { startCollector } from "./http/collector.ts"
import { here, seededDatabase, smallDatabase } from "./http/databases.ts"
import { memoryFolder } from "./http/folders.ts"
import { withPeerLedger } from "./http/peerLedger.ts"
import { atLeast, cpuAtMost, type Goal, judgedIf, p99AtMost, type Result } from "./http/report.ts"
import { body, bodyWithHistory } from "./http/sample.ts"
import { credits, makeSubKeys, newSecretRow, useUp } from "./http/seed.ts"
import { type MeteredRequest, canPin, connections, makeServers, type Server } from "./http/servers.ts"

const unspread = body.replace("}", ',"spread":"none"}')

/**
 * Requests other than the sample forecast, by the name of their variant: every kind of refusal, other frequent requests,
 * and a slow one.
 */
const others: ReadonlyArray<readonly [name: string, title: string, asked: MeteredRequest, secret?: string]> = [
  ["no-spread", 'ours, "spread": "none"', { status: 200, body: unspread }],
  ["history", "ours, with 100 past campaigns", { status: 200, body: bodyWithHistory }],
  ["invalid", "ours, 400: an invalid body", { status: 400, body: body.replace('"reply_rate":5', '"reply_rate":500') }],
  ["malformed", "ours, 400: malformed JSON", { status: 400, body: body.slice(0, -1) }],
  ["unknown-key", "ours, 401: an unknown key", { status: 401, body }, newSecretRow().secret],
  ["missing-key", "ours, 401: no key", { status: 401, body }, ""],
  ["not-found", "ours, 404", { status: 404, method: "GET", path: "/nothing" }],
  ["not-allowed", "ours, 405", { status: 405, method: "GET", path: "/api/v1/forecast" }],
  ["exhausted", "ours, 429: no credits left", { status: 429, body }],
  ["usage", "ours, GET /api/v1/usage", { status: 200, method: "GET", path: "/api/v1/usage" }],
  ["livez", "ours, GET /livez", { status: 200, method: "GET", path: "/livez" }]
]

/** The refusal that is held back, so that few come at a time: it is compared with forecasts of one caller. */
const heldBack = "unknown-key"

const refusals = others.filter(([name, , { status }]) => status >= 400 && name !== heldBack).map(([name]) => name)

/**
 * The time of a sync from which a commit costs more than the work of a request, so that debits that share one pay off.
 */
const slowSyncMillis = 1

/** The goals of the service, with the figures reached. */
const goals = (results: ReadonlyArray<Result>, syncMillis: number): ReadonlyArray<Goal> => {
  // A collector is the operator's choice, and its client uses memory of its own.
  const oursAlone = results.filter(({ name }) => name.startsWith("ours") && name !== "ours-otlp")
  const memory = oursAlone.flatMap(({ memory }) => memory?.now ?? [])
  return [
    ...cpuAtMost(results, "ours", "before", 1.4),
    ...cpuAtMost(results, "no-spread", "before-no-spread", 1.4),
    ...cpuAtMost(results, "history", "before-history", 1.4),
    ...cpuAtMost(results, "ours", "bound", 1.2),
    ...cpuAtMost(results, "ours-memory", "bound-memory", 1.2),
    // In memory the work alone counts, and the peer has less to do.
    ...atLeast(results, "ours-memory", "peer-memory", 0.58),
    ...judgedIf(syncMillis >= slowSyncMillis, [
      ...atLeast(results, "ours", "peer", 2),
      ...p99AtMost(results, "ours", "peer", 1)
    ]),
    // Rates that vary may cost at most a quarter of the throughput.
    ...atLeast(results, "ours", "no-spread", 0.75),
    ...atLeast(results, "ours-seeded", "ours", 0.9),
    ...cpuAtMost(results, "ours-sub-key-limit", "ours-sub-key", 1.05),
    // The response is stored in the transaction of its debit.
    ...atLeast(results, "ours-idempotent", "ours", 0.5),
    ...atLeast(results, "ours-otlp", "ours", 0.9),
    ...cpuAtMost(results, "ours-otlp", "ours", 1.1),
    ...[...refusals, "usage"].flatMap((name) => cpuAtMost(results, name, "ours", 1)),
    ...cpuAtMost(results, heldBack, "ours-alone", 1),
    // Nothing of a request may outlive its response.
    ...results
      .filter(({ name }) => name === "ours")
      .flatMap(({ promoted: actual }) =>
        actual === undefined ? [] : [{ goal: "promoted share of ours below 0.01", actual, isMet: actual < 0.01 }]
      ),
    ...(memory.length === 0
      ? []
      : [{ goal: "memory of ours below 200 MB", actual: Math.max(...memory), isMet: Math.max(...memory) < 200 }])
  ]
}

await bench((directory, before) => {
  const servers = makeServers(directory)
  const memory = memoryFolder()

  const ours = (name: string, database = smallDatabase, env: NodeJS.ProcessEnv = {}, root = here) =>
    servers.ours(name, database(`${directory}/${name}.db`, connections, root), env, root)

  /** The service, asked with sub-keys, all with a limit or none. */
  const withSubKeys = (name: string, monthlyLimit: number | null) =>
    ours(name, (file, keys, root) => {
      const database = smallDatabase(file, keys, root)
      makeSubKeys(file, monthlyLimit)
      return database
    })

  /** The service, with a request other than the sample forecast. */
  const asked = async (name: string, wanted: MeteredRequest, secret: string | undefined) => {
    const server = await ours(name)
    if (name === "exhausted") useUp(`${directory}/${name}.db`)
    return { ...server, asked: wanted, secrets: server.secrets.map((own) => secret ?? own) }
  }

  const peer = (name: string, folder = directory) =>
    servers.peer(name, withPeerLedger(smallDatabase(`${folder}/${name}.db`, connections)))

  const bound = (name: string, folder = directory) =>
    servers.bound(name, smallDatabase(`${folder}/${name}.db`, connections))

  /** A server that one caller asks, whose requests share nothing. */
  const alone = (server: Server): Server => ({ ...server, secrets: server.secrets.slice(0, 1) })

  return {
    variants: [
      { name: "limit", title: "limit: bare node:http", start: servers.limit },
      { name: "bound", title: "bound: the same work without Effect", start: () => bound("bound") },
      { name: "peer", title: "peer: Fastify and better-sqlite3", start: () => peer("peer") },
      { name: "ours", title: "ours", start: () => ours("ours") },
      ...(memory === undefined
        ? []
        : [
            { name: "bound-memory", title: "bound, in memory", start: () => bound("bound-memory", memory) },
            { name: "peer-memory", title: "peer, in memory", start: () => peer("peer-memory", memory) },
            {
              name: "ours-memory",
              title: "ours, in memory",
              start: () => ours("ours-memory", (_, keys) => smallDatabase(`${memory}/ours-memory.db`, keys))
            }
          ]),
      ...(before === undefined
        ? []
        : [
            { name: "before", title: "ours, before", start: () => ours("before", smallDatabase, {}, before) },
            ...others
              .filter(([name]) => name === "no-spread" || name === "history")
              .map(([name, title, wanted]) => ({
                name: `before-${name}`,
                title: `${title}, before`,
                start: async () => ({ ...(await ours(`before-${name}`, smallDatabase, {}, before)), asked: wanted })
              }))
          ]),
      { name: "bound-alone", title: "bound, one caller", start: async () => alone(await bound("bound-alone")) },
      { name: "ours-alone", title: "ours, one caller", start: async () => alone(await ours("ours-alone")) },
      {
        name: "ours-idempotent",
        title: "ours, an Idempotency-Key each",
        start: async () => ({ ...(await ours("ours-idempotent")), isIdempotent: true })
      },
      {
        name: "ours-seeded",
        title: "ours, 1,000,000 keys, 5,000,000 rows",
        start: () => ours("ours-seeded", seededDatabase)
      },
      {
        name: "ours-sub-key",
        title: "ours, with sub-keys",
        start: () => withSubKeys("ours-sub-key", null)
      },
      {
        name: "ours-sub-key-limit",
        title: "ours, with sub-keys that have a limit",
        start: () => withSubKeys("ours-sub-key-limit", credits)
      },
      {
        name: "ours-otlp",
        title: "ours, sending metrics, logs and traces by OTLP",
        start: async () => ours("ours-otlp", smallDatabase, { OTEL_EXPORTER_OTLP_ENDPOINT: await startCollector() })
      },
      ...others.map(([name, title, wanted, secret]) => ({ name, title, start: () => asked(name, wanted, secret) }))
    ],
    goals,
    setting: {
      cores: canPin ? "servers on one, load on the other" : "any",
      memory: memory === undefined ? "left out, no tmpfs with enough room" : "on a tmpfs"
    },
    end: servers.stop
  }
})
