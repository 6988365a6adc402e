import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { Effect, Option, type Scope } from "effect"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { run, stop } from "../../test/support/Process.ts"
import { pause } from "../../test/support/Sockets.ts"
import { openSqlite } from "../../test/support/SqliteFile.ts"
import {
  type Attack,
  change,
  countOf,
  databaseOf,
  dataOf,
  forecast,
  issueKey,
  send,
  startTarget,
  type Target
} from "./Attack.ts"

const works = (command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args).status === 0

/** Restarts the server. Returns whether it refused to start, whether it left the file unchanged, and its message. */
const startAgain = Effect.fnUntraced(function* (target: Target) {
  yield* stop(target.server, "SIGTERM")
  const digest = () =>
    createHash("sha256")
      .update(readFileSync(databaseOf(target)))
      .digest("hex")
  const before = digest()
  const ended = yield* Effect.timeoutOption(run(target.directory, ["serve"], { PORT: "0" }), "10 seconds")
  const isRefused = Option.exists(ended, ({ code }) => code === 1)
  return {
    isRefused,
    isUnchanged: digest() === before,
    message: Option.match(ended, { onNone: () => "", onSome: ({ stderr }) => stderr })
  }
})

interface Fault {
  readonly name: string
  /** The reason that /readyz reports. */
  readonly reason: string
  /** Prepares the folder of the database where an ordinary one will not do; false if this machine cannot. */
  readonly prepare?: (data: string) => Effect.Effect<boolean, never, Scope.Scope>
  /** Causes the fault; false if this machine cannot. */
  readonly begin: (target: Target) => Effect.Effect<boolean, never, Scope.Scope>
  /** The message with which the next start is refused. */
  readonly refusal?: RegExp
}

/** Damages the database under the running service, and checks what the operator and the callers are told. */
const fault = ({ begin, name, prepare, reason, refusal }: Fault): Attack => ({
  name,
  run: Effect.fnUntraced(function* (given) {
    const impossible = { figure: "needs root, Linux and a suitable disk", isDefended: true, isSkipped: true }
    let target = given
    if (prepare !== undefined) {
      const directory = yield* temporaryDirectory
      if (!(yield* prepare(dataOf({ directory })))) return impossible
      target = yield* startTarget(directory)
    }
    yield* forecast(target)
    if (!(yield* begin(target))) return impossible
    const logged = target.server.stderr().length
    const started = performance.now()
    let ready = yield* send(`${target.admin}/readyz`)
    while (ready.status !== 503 && performance.now() - started < 10_000) {
      // Damaged pages are noticed by whoever reads them.
      yield* forecast(target)
      yield* pause(100)
      ready = yield* send(`${target.admin}/readyz`)
    }
    const replies = yield* Effect.replicateEffect(forecast(target), 300, { concurrency: 30 })
    const reported = /"database":"(\w+)"/.exec(ready.text)?.[1] ?? "?"
    const lines = target.server.stderr().slice(logged).split("\n")
    // Each refused request has a line of its own, also at level error.
    const errors = lines.filter((line) => /"level":"(?:error|warn)","message":"(?!request")/.test(line)).length
    const figure = `/readyz ${ready.status} “${reported}”, ${countOf(replies, 503)} of 300 forecasts 503, ${errors} lines in the log`
    const isDefended =
      ready.status === 503 && reported === reason && countOf(replies, 503) === 300 && errors > 0 && errors <= 5
    if (refusal === undefined) return { figure, isDefended }
    const again = yield* startAgain(target)
    const start = again.isRefused ? `refused, the file ${again.isUnchanged ? "unchanged" : "CHANGED"}` : "NOT refused"
    return {
      figure: `${figure}; the next start ${start}`,
      isDefended: isDefended && again.isRefused && again.isUnchanged && refusal.test(again.message)
    }
  })
})

const onDisk = (effect: () => boolean) => Effect.sync(effect)

export const fullDisk = fault({
  name: "a full disk",
  reason: "full",
  prepare: (data) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        mkdirSync(data)
        return works("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", data)
      }),
      () => Effect.sync(() => works("umount", "--lazy", data))
    ),
  // dd writes until the disk is full, and then fails.
  begin: (target) => onDisk(() => !works("dd", "if=/dev/zero", `of=${join(dataOf(target), "filler")}`, "bs=4k"))
})

export const damagedFile = fault({
  name: "200 bytes of each page of the file are overwritten",
  reason: "damaged",
  refusal: /its file is damaged, .*Stop the service and put the file back; otherwise run /,
  begin: (target) =>
    onDisk(() => {
      // Moves everything into the file; the service has to reread it because another process wrote to it.
      change(target, "PRAGMA wal_checkpoint(TRUNCATE)")
      const file = openSync(databaseOf(target), "r+")
      for (let at = 4096; at < statSync(databaseOf(target)).size; at += 4096)
        writeSync(file, Buffer.alloc(200, 0xff), 0, 200, at)
      closeSync(file)
      change(target, "PRAGMA user_version = 1")
      return true
    })
})

export const newerTables = fault({
  name: "a newer version migrates the database while the service runs",
  reason: "newer",
  refusal: /Start that version, or restore a backup/,
  begin: (target) =>
    onDisk(() => {
      change(
        target,
        `INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'future');
         ALTER TABLE key_secrets RENAME COLUMN first_used_at TO used_first_at;
         ALTER TABLE credit_balances RENAME COLUMN balance TO credits`
      )
      return true
    })
})

export const readOnlyFile = fault({
  name: "the file becomes read-only",
  reason: "unreachable",
  begin: (target) => {
    const files = [databaseOf(target), `${databaseOf(target)}-wal`]
    return Effect.acquireRelease(
      Effect.sync(() => works("chattr", "+i", ...files)),
      () => Effect.sync(() => works("chattr", "-i", ...files))
    )
  }
})

export const lockedFile = fault({
  name: "another process holds the database's lock",
  reason: "locked",
  begin: (target) =>
    Effect.as(
      Effect.acquireRelease(
        Effect.sync(() => {
          const database = openSqlite(databaseOf(target))
          database.exec("BEGIN IMMEDIATE")
          return database
        }),
        (database) => Effect.sync(() => database.close())
      ),
      true
    )
})

export const deletedFile = fault({
  name: "the file is deleted",
  reason: "damaged",
  begin: (target) =>
    onDisk(() => {
      for (const name of readdirSync(dataOf(target))) rmSync(join(dataOf(target), name), { recursive: true })
      return true
    })
})

const backedUp = fault({
  name: "a backup replaces the file while it is in use, and the operator follows the advice in the log",
  reason: "damaged",
  begin: Effect.fnUntraced(function* (target) {
    const backup = join(target.directory, "backup.db")
    const key = yield* issueKey(target, "ada")
    const { code } = yield* run(target.directory, ["database", "backup", backup])
    yield* Effect.replicateEffect(forecast(target, key), 1500, { concurrency: 16, discard: true })
    // The write-ahead log begins anew: from here on its content fits no older file.
    change(target, "PRAGMA wal_checkpoint(RESTART)")
    yield* Effect.replicateEffect(forecast(target, key), 100, { discard: true })
    copyFileSync(backup, `${databaseOf(target)}.new`)
    renameSync(`${databaseOf(target)}.new`, databaseOf(target))
    return code === 0
  })
})

export const replacedFile: Attack = {
  ...backedUp,
  run: Effect.fnUntraced(function* (target) {
    const outcome = yield* backedUp.run(target)
    yield* stop(target.server, "SIGTERM")
    const isAdvised = target.server.stderr().includes("run outreach-forecast database restore FILE")
    const restored = yield* run(target.directory, ["database", "restore", join(target.directory, "backup.db")])
    const { status } = yield* Effect.flatMap(startTarget(target.directory), forecast)
    const verified = yield* run(target.directory, ["ledger", "verify"])
    return {
      figure: `${outcome.figure}; database restore ${isAdvised ? "advised" : "NOT ADVISED"}, ended with ${restored.code}; the next start answers ${status}, the ledger ${verified.code === 0 ? "sound" : "UNSOUND"}`,
      isDefended: outcome.isDefended && isAdvised && restored.code === 0 && status === 200 && verified.code === 0
    }
  })
}

export const secondStart: Attack = {
  name: "a second start on the same port",
  run: Effect.fnUntraced(function* (target) {
    yield* forecast(target)
    const look = () =>
      [databaseOf(target), `${databaseOf(target)}-wal`]
        .map((file) => createHash("sha256").update(readFileSync(file)).digest("hex"))
        .join()
    const before = look()
    const { code } = yield* run(target.directory, ["serve"], { PORT: String(target.server.port) })
    const isUnchanged = look() === before
    const { status } = yield* forecast(target)
    return {
      figure: `ended with ${code}, the database ${isUnchanged ? "unchanged" : "CHANGED"}, the first answers ${status}`,
      isDefended: code !== 0 && isUnchanged && status === 200
    }
  })
}
