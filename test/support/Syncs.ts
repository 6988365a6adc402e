import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { temporaryDirectory } from "./Application.ts"
import { openBooks } from "./Books.ts"
import { serve } from "./Process.ts"

/** The system calls of a server under load. */
export interface Syncs {
  /** Successful forecasts. */
  readonly forecasts: number
  /** Transactions written to the write-ahead log. */
  readonly commits: number
  /** Calls that made the write-ahead log durable. */
  readonly syncs: number
  /** Writes to sockets before a commit was durable. */
  readonly early: number
}

/** True if system calls can be traced on this machine. */
export const canTrace = spawnSync("strace", ["-D", "-f", "-e", "trace=none", "true"]).status === 0

/** A text in the format of strace: all bytes in hexadecimal. */
const hex = (text: string) =>
  Buffer.from(text)
    .toString("hex")
    .replaceAll(/../g, String.raw`\x$&`)

const log = `${hex("-wal")}>`
const socket = `<${hex("socket:")}`

/** A frame of the log starts with 24 bytes, of which 4 to 7 are not 0 if the frame ends a transaction. */
const frame = /, "(?:\\x..){4}((?:\\x..){4})"\.*, 24, \d+\) += 24$/

const isCommit = (line: string): boolean => /[1-9a-f]/.test(frame.exec(line)?.[1]?.replaceAll(String.raw`\x`, "") ?? "")

const count = (lines: ReadonlyArray<string>): Omit<Syncs, "forecasts"> => {
  let commits = 0
  let syncs = 0
  let early = 0
  let isDurable = true
  for (const line of lines) {
    if (line.includes(log)) {
      if (isCommit(line)) {
        commits++
        isDurable = false
      } else if (/^(?:fsync|fdatasync)\(.* = 0$/.test(line)) {
        syncs++
        isDurable = true
      }
    } else if (line.includes(socket) && /^writev?\(/.test(line) && !isDurable) early++
  }
  return { commits, syncs, early }
}

/** Traces a server under load for this many milliseconds, and then with a single caller for as long. */
export const watchSyncs = Effect.fnUntraced(function* (callers: number, millis: number) {
  const directory = yield* temporaryDirectory
  const trace = `${directory}/trace`
  const books = yield* openBooks(`sqlite:${directory}/data/outreach-forecast.db`)
  // The tracer is the grandchild, so that the process to stop is the server.
  const strace = "strace -D -ff -y -xx -s 8 -e signal=none -e trace=pwrite64,fsync,fdatasync,write,writev -o".split(" ")
  const server = yield* serve(directory, {}, [...strace, trace])
  // One file per thread: in a shared file, overlapping calls of threads are split into two parts.
  const lines = () => readFileSync(`${trace}.${server.process.pid}`, "utf8").split("\n")
  const forecasts = () => books.sum(({ acknowledged }) => acknowledged.size)
  // The first use of a key is a separate commit.
  yield* books.load(server.url, 40, () => false)

  const watch = Effect.fnUntraced(function* (callers: number) {
    yield* Effect.sleep("100 millis")
    const before = { lines: lines().length, forecasts: forecasts() }
    let isOver = false
    const timer = setTimeout(() => (isOver = true), millis)
    yield* books.load(server.url, callers, () => !isOver)
    clearTimeout(timer)
    yield* Effect.sleep("100 millis")
    const syncs: Syncs = { forecasts: forecasts() - before.forecasts, ...count(lines().slice(before.lines - 1)) }
    return syncs
  })

  return { together: yield* watch(callers), alone: yield* watch(1) }
})
