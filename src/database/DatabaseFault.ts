import { Predicate } from "effect"

/** Not by hand: SQLite would apply the old file's write-ahead log to the backup, and corrupt it. */
const restore = "run outreach-forecast database restore FILE with the last backup"

/** The faults of a database, with their remedies. */
export const databaseFaults = {
  full: "its disk is full. Free some space; the service recovers automatically",
  damaged: `its file is damaged, or the write-ahead log next to it belongs to another file. Stop the service, ${restore}, and start again`,
  gone: `its file was deleted or replaced while it was in use. Stop the service and put the file back; if it is lost, ${restore}. Then start again`,
  newer:
    "its schema was created by a newer version of this service. Start that version, or restore a backup from before the update",
  read_only: "it is read-only. Let the user that runs the service write to the file and its folder",
  locked: "another process holds its lock. Wait for that process, or stop it",
  failing: "its disk cannot be read or written. Check the system log",
  unreachable: "it does not respond. Check the database server and the network"
} as const

export type DatabaseFault = keyof typeof databaseFaults

/** A sentence for people with the fault and its remedy. */
export const explainFault = (fault: DatabaseFault): string => `The database is unavailable: ${databaseFaults[fault]}`

/** By SQLite's result codes, primary and extended (sqlite.org/rescode.html). */
const bySqliteCode: ReadonlyMap<number, DatabaseFault> = new Map([
  [3, "read_only"],
  [5, "locked"],
  [6, "locked"],
  [8, "read_only"],
  [10, "failing"],
  [11, "damaged"],
  [13, "full"],
  [14, "gone"],
  [17, "newer"],
  [26, "damaged"],
  // SQLITE_READONLY_DBMOVED
  [1032, "gone"]
])

/** By Postgres' error codes (appendix A of its manual). */
const byPostgresCode: ReadonlyMap<string, DatabaseFault> = new Map([
  ["53100", "full"],
  ["25006", "read_only"],
  ["55P03", "locked"],
  ["58030", "failing"],
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
