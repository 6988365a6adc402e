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
  /** As in DATABASE_URL. */
  readonly url: string
  readonly secrets: ReadonlyArray<string>
  /** The process of the database server, if it runs on this machine. */
  readonly pid?: number
}

/** The variables of the service in production on a database. */
export const environment = (url: string) => ({
  PATH: process.env["PATH"],
  APP_ENV: "production",
  PUBLIC_URL: "https://forecast.example",
  DATABASE_URL: url,
  // The load has few keys, and what is measured is the service without limits.
  KEY_REQUESTS_PER_SECOND: "1000000",
  WRONG_KEYS_PER_MINUTE: "1000000"
})

const migration = fileURLToPath(new URL("migrate.ts", import.meta.url))

/** Creates the tables in an empty database, as the code at a root does. */
export const migrate = (url: string, root = here) =>
  void execFileSync(process.execPath, [`${root}/${relative(here, migration)}`, url])

const urlOf = (file: string) => `sqlite:${file}`

/** An SQLite file with this many usable keys and nothing else. */
export const smallDatabase = (file: string, keys: number, root = here): Database => {
  migrate(urlOf(file), root)
  seedKeys(file, keys, 1)
  return { url: urlOf(file), secrets: giveSecrets(file, keys) }
}

/** The name of the seeded database says what made it: what changes the seed or the tables makes a new one. */
const seededFile = (): string => {
  const migrations = fileURLToPath(new URL("../../../src/database/migrations/", import.meta.url))
  const sources = [
    fileURLToPath(new URL("seed.ts", import.meta.url)),
    ...readdirSync(migrations).map((name) => migrations + name)
  ]
  const digest = hash("sha256", sources.map((source) => readFileSync(source, "utf8")).join(""), "hex")
  return `${tmpdir()}/outreach-forecast-seeded-${digest.slice(0, 12)}.db`
}

/**
 * An SQLite file with 1,000,000 keys and 5,000,000 rows in the ledger, and secrets of `keys` of them, spread over all. It is
 * a copy: the original is made once, stays in the folder for temporary files, and may be deleted at any time.
 */
export const seededDatabase = (file: string, keys: number): Database => {
  const original = seededFile()
  if (!existsSync(original)) {
    console.error(`Making ${original} …`)
    const part = `${original}.part`
    rmSync(part, { force: true })
    migrate(urlOf(part))
    seedKeys(part, 1_000_000, 5)
    renameSync(part, original)
  }
  copyFileSync(original, file, constants.COPYFILE_FICLONE)
  // Pending writes would slow down the measured commits.
  const copy = openSync(file, "r+")
  fsyncSync(copy)
  closeSync(copy)
  return { url: urlOf(file), secrets: giveSecrets(file, keys) }
}
