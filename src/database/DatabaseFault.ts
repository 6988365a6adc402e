import { Predicate, Schema, Struct } from "effect"

/** Not by hand: SQLite would apply the old file's write-ahead log to the backup, and corrupt it. */
const restore = "run outreach-forecast database restore FILE with the last backup"

/** The faults of a database, and a schema that is too new, with their remedies. */
export const databaseFaults = {
  full: "its disk is full. Free some space; the service recovers automatically",
  locked: "another process holds its lock. Wait for that process, or stop it",
  damaged: `its file is damaged, was deleted or replaced while it was in use, or the write-ahead log next to it belongs to another file. Stop the service and put the file back; otherwise ${restore}. Then start again`,
  unreachable:
    "it does not respond, or cannot be read or written. Check the database server and the network, or the disk of its file and whether the user that runs the service may write to it and its folder",
  newer:
    "its schema was created by a newer version of this service. Start that version, or restore a backup from before the update"
} as const

export const DatabaseFault = Schema.Literals(Struct.keys(databaseFaults))
export type DatabaseFault = typeof DatabaseFault.Type

/** A sentence for people with the fault and its remedy. */
export const explainFault = (fault: DatabaseFault): string => `The database is unavailable: ${databaseFaults[fault]}`

/** By SQLite's result codes, primary and extended (sqlite.org/rescode.html). */
const bySqliteCode: ReadonlyMap<number, DatabaseFault> = new Map([
  [5, "locked"],
  [6, "locked"],
  [11, "damaged"],
  [13, "full"],
  [17, "newer"],
  [26, "damaged"],
  // SQLITE_READONLY_DBMOVED
  [1032, "damaged"]
])

/** By Postgres' error codes (appendix A of its manual). */
const byPostgresCode: ReadonlyMap<string, DatabaseFault> = new Map([
  ["53100", "full"],
  ["55P03", "locked"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
  ["42P01", "newer"],
  ["42703", "newer"]
])

/** Classifies an error by its own code or those of its causes; `unreachable` if none is known. */
export const faultOf = (error: unknown): DatabaseFault => {
  for (let each = error, depth = 0; Predicate.isObject(each) && depth < 10; each = each["cause"], depth++) {
    const { code, errcode, message } = each
    const fault =
      Predicate.isNumber(errcode) && errcode !== 1
        ? (bySqliteCode.get(errcode) ?? bySqliteCode.get(errcode & 0xff))
        : byPostgresCode.get(String(code))
    if (fault !== undefined) return fault
    // SQLite has no code of its own for it.
    if (errcode === 1 && /no such (?:table|column)|has no column/.test(String(message))) return "newer"
    if (each["_tag"] === "LockTimeoutError") return "locked"
  }
  return "unreachable"
}
