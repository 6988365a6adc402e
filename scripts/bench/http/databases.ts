import { execFileSync } from "node:child_process"
import { hash } from "node:crypto"
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from "node:fs"
import { tmpdir } from "node:os"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { giveSecrets, seedKeys } from "./seed.ts"

/** The root of the working tree. */
export const here = fileURLToPath(new URL("../../..", import.meta.url))

/** A database, and the secrets of some usable keys in it. */
export interface Database {
  /** The URL, as in DATABASE_URL. */
  readonly url: string
  readonly secrets: ReadonlyArray<string>
}

/** The environment of the service in production, with a database. */
export const environment = (url: string) => ({
  PATH: process.env["PATH"],
  APP_ENV: "production",
  PUBLIC_URL: "https://forecast.example",
  DATABASE_URL: url,
  // The load has few keys, and the benchmark measures the service without limits.
  KEY_REQUESTS_PER_SECOND: "1000000",
  WRONG_KEYS_PER_MINUTE: "1000000"
})

const migration = fileURLToPath(new URL("migrate.ts", import.meta.url))

/** Creates the tables in an empty database, with the migrations of the code at a root. */
const migrate = (url: string, root = here) =>
  void execFileSync(process.execPath, [`${root}/${relative(here, migration)}`, url])

const urlOf = (file: string) => `sqlite:${file}`

/** An SQLite file with this many usable keys and nothing else. */
export const smallDatabase = (file: string, keys: number, root = here): Database => {
  migrate(urlOf(file), root)
  seedKeys(file, keys, 1)
  return { url: urlOf(file), secrets: giveSecrets(file, keys) }
}

/** The size of a seeded database: its keys, and the entries of each in the ledger. */
export interface SeededSize {
  readonly keys: number
  readonly entries: number
}

/**
 * The path of a seeded database. It contains a hash of the seed and the migrations, so that a change to these makes a
 * new database.
 */
const seededFile = ({ entries, keys }: SeededSize): string => {
  const migrations = fileURLToPath(new URL("../../../src/database/migrations/", import.meta.url))
  const sources = [
    fileURLToPath(new URL("seed.ts", import.meta.url)),
    ...readdirSync(migrations).map((name) => migrations + name)
  ]
  const digest = hash("sha256", sources.map((source) => readFileSync(source, "utf8")).join(""), "hex")
  return `${tmpdir()}/outreach-forecast-seeded-${digest.slice(0, 12)}-${keys}x${entries}.db`
}

/**
 * Makes SQLite files of a size, and gives the secrets of `keys` of their keys, spread evenly. They are copies: the
 * original is made once, stays in the temporary folder, and may be deleted at any time.
 */
export const seededDatabaseOf =
  (size: SeededSize) =>
  (file: string, keys: number): Database => {
    const original = seededFile(size)
    if (!existsSync(original)) {
      console.error(`Making ${original} …`)
      const part = `${original}.part`
      rmSync(part, { force: true })
      migrate(urlOf(part))
      seedKeys(part, size.keys, size.entries)
      renameSync(part, original)
    }
    copyFileSync(original, file, constants.COPYFILE_FICLONE)
    // Pending writes would slow down the measured commits.
    const copy = openSync(file, "r+")
    fsyncSync(copy)
    closeSync(copy)
    return { url: urlOf(file), secrets: giveSecrets(file, keys) }
  }

/** The same with 1,000,000 keys and 5,000,000 rows in the ledger. */
export const seededDatabase = seededDatabaseOf({ keys: 1_000_000, entries: 5 })
