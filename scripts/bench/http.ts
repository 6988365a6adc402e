// Forecasts a second over HTTP, side by side in one run: ours, the same endpoint with Fastify and better-sqlite3 as the
// peer, and bare node:http as the limit. The servers share one core and the load has the other; rounds are interleaved,
// and medians count. A short run: npm run bench -- --rounds 3 --seconds 3 --only limit,ours
import { bench } from "./http/bench.ts"
import { seededDatabase, smallDatabase } from "./http/databases.ts"
import { atLeast, compare, type Goal, type Result } from "./http/report.ts"
import { canPin, connections, makeServers } from "./http/servers.ts"

/** The goals of the service, with what was reached. */
const goals = (results: ReadonlyArray<Result>): ReadonlyArray<Goal> => {
  const memory = results.filter(({ name }) => name.startsWith("ours")).flatMap(({ memory }) => memory?.now ?? [])
  return [
    ...atLeast(results, "ours", "peer-full", 5),
    ...atLeast(results, "ours", "peer-normal", 1.2),
    ...atLeast(results, "ours", "limit", 0.28),
    ...atLeast(results, "ours-seeded", "ours", 0.9),
    ...atLeast(results, "ours-idempotent", "ours", 0.8),
    ...compare(results, ["ours", "peer-normal"], (ours, peer) => ({
      goal: "p99 of ours / p99 of peer-normal at most 1",
      actual: ours.p99 / peer.p99,
      isMet: ours.p99 <= peer.p99
    })),
    ...(memory.length === 0
      ? []
      : [{ goal: "memory of ours below 200 MB", actual: Math.max(...memory), isMet: Math.max(...memory) < 200 }])
  ]
}

await bench("http", (directory) => {
  const servers = makeServers(directory, { isPinned: true })

  const ours = (name: string, database = smallDatabase) =>
    servers.ours(name, database(`${directory}/${name}.db`, connections))

  const peer = (name: string, synchronous: "FULL" | "NORMAL") =>
    servers.peer(name, "sqlite", smallDatabase(`${directory}/${name}.db`, connections), { SYNCHRONOUS: synchronous })

  return {
    variants: [
      { name: "limit", title: "limit: bare node:http", start: servers.limit },
      { name: "peer-full", title: "peer, synchronous=FULL", start: () => peer("peer-full", "FULL") },
      { name: "peer-normal", title: "peer, synchronous=NORMAL", start: () => peer("peer-normal", "NORMAL") },
      { name: "ours", title: "ours", start: () => ours("ours") },
      {
        name: "ours-idempotent",
        title: "ours, an Idempotency-Key each",
        start: async () => ({ ...(await ours("ours-idempotent")), isIdempotent: true })
      },
      {
        name: "ours-seeded",
        title: "ours, 1,000,000 keys, 5,000,000 rows",
        start: () => ours("ours-seeded", seededDatabase)
      }
    ],
    goals,
    setting: { cores: canPin ? "servers on one, load on the other" : "any" },
    end: servers.stop
  }
})
