// Makes the databases that every later commit has to open, of the version that is checked out and committed, in a new
// folder of test/database/released: two months of a service on SQLite and on Postgres, and what is known of them from
// outside. Refuses to overwrite them, because they are kept as the released version made them; only before a release
// they may be made again: npm run released -- --replace
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { isDeepStrictEqual, parseArgs } from "node:util"
import { gzipSync } from "node:zlib"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { DateTime, Effect, Layer, Logger, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { lastMigration } from "../../src/database/Migrations.ts"
import { applicationOn, createDatabase, temporaryDirectory } from "../../test/support/Application.ts"
import { server } from "../../test/support/Http.ts"
import { withPostbox } from "../../test/support/Mail.ts"
import { postgresServer } from "../../test/support/Postgres.ts"
import { Known, Released, releasedFiles, releasedFolder } from "../../test/support/Released.ts"
import { seeded } from "../../test/support/Seeded.ts"
import { createRecorded, dumpOf } from "./released/dump.ts"
import { end, tell } from "./released/story.ts"

const { values } = parseArgs({ options: { replace: { type: "boolean", default: false } } })

const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", args, { cwd: releasedFolder, encoding: "utf8" }).trim()

/** The same secrets and IDs each time, and on both kinds of database: they open nothing but these. */
const madeUp = () => {
  const random = seeded(1)
  return Layer.succeed(
    SecureRandom.SecureRandom,
    SecureRandom.make((size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256)))
  )
}

/** Makes the content of a database by the services of this version, with a clock that is set. */
const fill = (url: string) => {
  const services = server.pipe(Layer.provideMerge(applicationOn(url, { random: madeUp() })))
  return tell.pipe(
    Effect.provide([Layer.fresh(withPostbox(services)), Logger.layer([])]),
    Effect.provide(TestClock.layer())
  )
}

/** Writes a closed SQLite database as a single file without free pages, and returns it. */
const compacted = (file: string) => {
  const database = new DatabaseSync(file)
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  return readFileSync(file)
}

const encode = Schema.encodeSync(Released)
const encodeKnown = Schema.encodeSync(Known)

const main = Effect.gen(function* () {
  mkdirSync(releasedFolder, { recursive: true })
  if (git("status", "--porcelain", "--", ":/", ":!/test/database/released") !== "") {
    fail("Commit your changes first: the databases are those of a commit")
  }
  const name = String(yield* lastMigration).padStart(4, "0")
  const folder = `${releasedFolder}${name}`
  if (existsSync(folder) && !values.replace) {
    fail(`${folder} is there. It stays as its version made it; --replace makes it again before a release`)
  }

  const file = `${yield* temporaryDirectory}/released.db`
  yield* createDatabase(`sqlite:${file}`)
  const known = yield* fill(`sqlite:${file}`)
  const { url } = yield* postgresServer
  const creation = yield* createRecorded(url)
  const knownOnPostgres = yield* fill(url)
  if (!isDeepStrictEqual(encodeKnown(known), encodeKnown(knownOnPostgres))) {
    fail("The databases on SQLite and on Postgres differ")
  }

  const requests = encode({
    about:
      "Made by npm run released. The secrets and addresses were made up for these databases and open nothing else.",
    commit: git("rev-parse", "HEAD"),
    at: DateTime.makeUnsafe(end),
    known
  })
  const files = {
    [releasedFiles.SQLite]: gzipSync(compacted(file), { level: 9 }),
    [releasedFiles.Postgres]: yield* dumpOf(url, creation),
    [releasedFiles.requests]: `${JSON.stringify(requests, undefined, 2)}\n`
  }
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/${name}`, content)
  console.log(`${known.requests.length} requests and ${known.ledger.entries} entries of the ledger in ${folder}`)
})

NodeRuntime.runMain(Effect.scoped(main))
