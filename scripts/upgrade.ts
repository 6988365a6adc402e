// Shows that an update from the released version loses nothing: installs and builds its commit, or takes the folder of
// another checkout that has been built, npm run upgrade -- ../other-checkout. Sends every kind of request to a server of
// one version and again to the other over one database, both ways; replaces two instances on the released database one
// after the other under load, whose callers may get no response or 503; and restores a backup that the released version
// made. Exits with status 1 if a response differs, or a credit was lost or taken twice. With --postgres on Postgres.
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { temporaryDirectory } from "../test/support/Application.ts"
import { ledgerFaults } from "../test/support/Instances.ts"
import { connected, postgresServer } from "../test/support/Postgres.ts"
import { main as own, serve } from "../test/support/Process.ts"
import { loadReleased, released, type ReleasedDatabase, writeReleased } from "../test/support/Released.ts"
import { checkOut } from "./upgrade/checkOut.ts"
import { replay } from "./upgrade/replaying.ts"
import { command, faultsOf, roll } from "./upgrade/rolling.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: "boolean", default: false } }
})

/** The faults that a step has found, and what it counted. */
interface Report {
  readonly faults: ReadonlyArray<string>
  readonly requests?: number
}

/** The URL of an empty database with a name. */
const emptyDatabase = values.postgres
  ? Effect.map(
      postgresServer,
      ({ url }) =>
        (name: string) =>
          Effect.as(
            connected(url, (sql) => sql`CREATE DATABASE ${sql(name)}`),
            new URL(name, url).href
          )
    )
  : Effect.map(temporaryDirectory, (directory) => (name: string) => Effect.succeed(`sqlite:${directory}/${name}.db`))

const load = (database: ReleasedDatabase, url: string) =>
  values.postgres ? loadReleased(database, url) : writeReleased(database, url.slice("sqlite:".length))

const main = Effect.gen(function* () {
  const database = released.at(-1)
  if (database === undefined) return yield* Effect.die(new Error("There is no released database"))
  const [given] = positionals
  const other = `${given === undefined ? yield* checkOut(database.commit) : resolve(given)}/dist/main.js`
  const directory = yield* temporaryDirectory
  const makeDatabase = yield* emptyDatabase
  let faults = 0
  const report = (what: string, { faults: found, ...counts }: Report) => {
    console.log(what, { ...counts, faults: found.length })
    for (const fault of found) console.error(fault)
    faults += found.length
  }

  const shared = yield* makeDatabase("shared")
  const start = (url: string, program: string) => serve(directory, { DATABASE_URL: url }, [], program)
  const servers = { other: yield* start(shared, other), own: yield* start(shared, own) }
  const { faults: different, requests } = yield* replay(shared, servers)
  const unsound = (yield* ledgerFaults(shared)).map((fault) => JSON.stringify(fault))
  report("retried both ways", { requests, faults: [...different, ...unsound] })

  const rolled = yield* makeDatabase("rolled")
  yield* load(database, rolled)
  const backup = `${directory}/backup`
  // On Postgres, the released dump is the backup.
  const backUp = values.postgres ? Effect.void : command(other, directory, rolled, "database", "backup", backup)
  report("rolled under load", yield* roll(database, rolled, { directory, other, own }, backUp))

  const restored = yield* makeDatabase("restored")
  yield* values.postgres ? load(database, restored) : command(own, directory, restored, "database", "restore", backup)
  report("restored", { faults: yield* faultsOf(yield* start(restored, own), restored, database) })
  if (faults > 0) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main))
