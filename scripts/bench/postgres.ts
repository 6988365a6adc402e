// Forecasts per second on Postgres, side by side in one run: the same endpoint with Fastify and pg as the peer, one instance
// of ours, and two on one database. Postgres is that of DATABASE_URL_TEST, or one that is started for the run.
//
// Nothing is pinned to a core: the peer and ours have the whole machine alike. Pinned, Postgres would have to share a core
// with the servers or with the load, and that choice would be part of the result, as Postgres takes more of a core than the
// peer does. Two instances need both cores, and so does the one that they are compared with. What each process took of a
// core says what the limit was.
//
// A short run: npm run bench:postgres -- --rounds 3 --seconds 3 --only peer,ours-one
import { availableParallelism } from "node:os"
import { bench } from "./http/bench.ts"
import { makePeerLedger } from "./http/peerLedger.ts"
import { onDatabase, startPostgres } from "./http/postgres.ts"
import { atLeast, compare, coresTaken, type Goal, type Result } from "./http/report.ts"
import { connections, makeServers } from "./http/servers.ts"

const cores = availableParallelism()

/** The share of all cores from which these are the limit; the rest is spent waiting for the disk and for each other. */
const busy = 0.9

/** The goal that two instances have more throughput than one, or use the whole machine. */
const scales = (two: Result, one: Result): Goal => {
  const actual = two.perSecond / one.perSecond
  const least = 1.6
  const [takenByTwo, takenByOne] = [coresTaken(two), coresTaken(one)]
  return {
    goal: `ours-two / ours-one at least ${least}, or no core left`,
    actual,
    isMet: actual >= least || takenByTwo >= busy * cores,
    remark:
      `of ${cores} cores ours-two used ${takenByTwo.toFixed(2)} and ours-one ${takenByOne.toFixed(2)}; at the same cost per ` +
      `forecast all cores would give ${(cores / takenByOne).toFixed(2)}`
  }
}

await bench("postgres", async (directory) => {
  const postgres = await startPostgres(directory)
  const servers = makeServers(directory, { isPinned: false })
  const database = (name: string) => postgres.smallDatabase(name, connections)
  return {
    variants: [
      {
        name: "peer",
        title: "peer: Fastify and pg",
        start: async () => {
          const made = await database("peer")
          await onDatabase(made.url, makePeerLedger)
          return servers.peer("peer", "postgres", made)
        }
      },
      {
        name: "ours-one",
        title: "ours, one instance",
        start: async () => servers.ours("ours-one", await database("ours-one"))
      },
      {
        name: "ours-two",
        title: "ours, two instances",
        start: async () => servers.ours("ours-two", await database("ours-two"), { instances: 2 })
      }
    ],
    goals: (results) => [
      ...atLeast(results, "ours-one", "peer", 3),
      ...compare(results, ["ours-two", "ours-one"], scales)
    ],
    setting: { cores: "any, for all", Postgres: postgres.description },
    end: async () => {
      await servers.stop()
      await postgres.end()
    }
  }
})
