import { globSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { DateTime, Effect, Schema } from "effect"
import { connected } from "./Postgres.ts"

/** The folder of the databases that released versions made, each in a folder named after its last migration. */
export const releasedFolder = fileURLToPath(new URL("../database/released/", import.meta.url))

/** The names of the files of a released database. */
export const releasedFiles = { SQLite: "released.sqlite.gz", Postgres: "released.sql", requests: "requests.json" }

/** A request whose answer is stored in the database, and the response that it got. */
const Answered = Schema.Struct({
  name: Schema.String,
  path: Schema.String,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String,
  status: Schema.Int,
  type: Schema.NullOr(Schema.String),
  /** The response, without what differs from retry to retry (`repeatedPart`). */
  answer: Schema.String
})

/** The knowledge of callers and the operator, the same for the database on SQLite and the one on Postgres. */
export const Known = Schema.Struct({
  requests: Schema.Array(Answered),
  /** The responses to what each key reads of itself; of a refusal only its code. */
  reads: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      path: Schema.String,
      secret: Schema.String,
      status: Schema.Int,
      json: Schema.Record(Schema.String, Schema.Unknown)
    })
  ),
  /** The balances of keys that work. */
  balances: Schema.Array(Schema.Struct({ name: Schema.String, secret: Schema.String, credits: Schema.Int })),
  /** The numbers of keys and entries in the ledger, of mails by their state, and the states of orders. */
  ledger: Schema.Struct({ keys: Schema.Int, entries: Schema.Int }),
  mails: Schema.Record(Schema.String, Schema.Int),
  orders: Schema.Record(Schema.String, Schema.String),
  /** The order that is to be paid next, and the key that gets its credits. */
  unpaid: Schema.Struct({ order: Schema.String, secret: Schema.String, credits: Schema.Int }),
  /** A sub-key, and what is left of its limit. */
  subKey: Schema.Struct({ secret: Schema.String, left: Schema.Int }),
  /** The secret that a key had before, which still opens it. */
  earlierSecret: Schema.String,
  /** The token of a link that reveals a secret, and the credits of its key. */
  link: Schema.Struct({ token: Schema.String, credits: Schema.Int })
})
export type Known = typeof Known.Type

/** The file `requests.json`. */
export const Released = Schema.Struct({
  about: Schema.String,
  /** The commit that made the databases. */
  commit: Schema.String,
  /** The time on the clock of that commit: stored answers are replayed for a day from then. */
  at: Schema.DateTimeUtcFromString,
  known: Known
})

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Released))

/** The released databases, oldest first. */
export const released = globSync("[0-9]*", { cwd: releasedFolder })
  .toSorted()
  .map((name) => {
    const fileOf = (kind: keyof typeof releasedFiles) => `${releasedFolder}${name}/${releasedFiles[kind]}`
    const { at, ...others } = decode(readFileSync(fileOf("requests"), "utf8"))
    return { name, ...others, at: DateTime.toEpochMillis(at), fileOf }
  })

/** A database that a released version made. */
export type ReleasedDatabase = (typeof released)[number]

/** Writes a released SQLite database to a file. */
export const writeReleased = ({ fileOf }: ReleasedDatabase, file: string) =>
  Effect.sync(() => writeFileSync(file, gunzipSync(readFileSync(fileOf("SQLite")))))

/** Loads a released Postgres database into an empty one. A blank line ends each statement of the dump. */
export const loadReleased = ({ fileOf }: ReleasedDatabase, url: string) => {
  const statements = readFileSync(fileOf("Postgres"), "utf8").trim().split("\n\n")
  return connected(url, (sql) =>
    sql.withTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))
  )
}
