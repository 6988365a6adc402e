import { spawnSync } from "node:child_process"
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { openBooks } from "../support/Books.ts"
import { ServiceResponse } from "../support/Http.ts"
import { serve, type Serving, until, untilFound } from "../support/Process.ts"

const works = (command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args).status === 0

/** A fault that prevents writes to a database, caused in its folder or its server. */
interface Outage {
  readonly name: string
  /** True if it can be simulated on this machine. */
  readonly isPossible: () => boolean
  /** Prepares the empty folder of the database. */
  readonly prepare?: (folder: string) => Effect.Effect<unknown, never, Scope.Scope>
  readonly begin: (folder: string, server: Serving) => boolean
  readonly end: (folder: string, server: Serving) => boolean
}

/** True if open files can be made immutable, which depends on the user and the file system. */
const canFreeze = (): boolean => {
  const directory = mkdtempSync(`${tmpdir()}/outreach-forecast-`)
  const file = openSync(`${directory}/file`, "w")
  try {
    if (!works("chattr", "+i", `${directory}/file`)) return false
    writeSync(file, "x")
    return false
  } catch {
    return true
  } finally {
    works("chattr", "-i", `${directory}/file`)
    closeSync(file)
    rmSync(directory, { recursive: true })
  }
}

const freeze = (mode: string) => (folder: string) =>
  works("chattr", mode, `${folder}/outreach-forecast.db`, `${folder}/outreach-forecast.db-wal`)

const limitFiles =
  (bytes: string) =>
  (_: string, { process: { pid } }: Serving) =>
    works("prlimit", `--pid=${pid}`, `--fsize=${bytes}:`)

/** Room for a log that is written back every 16 MiB. */
const mount = (folder: string) => works("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder)
const unmount = (folder: string) => works("umount", "--lazy", folder)

const outages: ReadonlyArray<Outage> = [
  {
    name: "a full disk",
    isPossible: () => {
      const folder = mkdtempSync(`${tmpdir()}/outreach-forecast-`)
      const isPossible = mount(folder) && unmount(folder)
      rmSync(folder, { recursive: true })
      return isPossible
    },
    prepare: (folder) =>
      Effect.acquireRelease(
        Effect.sync(() => mount(folder)),
        () => Effect.sync(() => unmount(folder))
      ),
    // dd writes until there is no room for another page, and then fails.
    begin: (folder) => !works("dd", "if=/dev/zero", `of=${folder}/filler`, "bs=4k"),
    end: (folder) => works("rm", `${folder}/filler`)
  },
  { name: "a database that is read-only", isPossible: canFreeze, begin: freeze("+i"), end: freeze("-i") },
  {
    name: "a limit on the size of files",
    isPossible: () => works("prlimit", "--version"),
    begin: limitFiles("0"),
    end: limitFiles("unlimited")
  }
]

const get = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    return new ServiceResponse(response.status, response.headers, await response.text())
  })

// Their callers mostly wait before they try again, each at its own server.
describe.concurrent("a server outlives", () => {
  for (const { begin, end, isPossible, name, prepare } of outages) {
    const can = isPossible()
    if (!can)
      process.stderr.write(`\nNOT TESTED on this machine: ${name}. It takes root, Linux and the right disk.\n\n`)
    it.live.skipIf(!can)(`${name}: 503 and no charge while it lasts, forecasts again by itself afterwards`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const folder = `${directory}/data`
        mkdirSync(folder)
        if (prepare !== undefined) yield* prepare(folder)
        const books = yield* openBooks(`sqlite:${folder}/outreach-forecast.db`)
        const server = yield* serve(directory)
        const acknowledged = () => books.sum((account) => account.acknowledged.size)
        const refused = () => books.sum((account) => account.refused)
        let isOver = false
        const pause = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(!isOver), 5))
        const load = yield* Effect.forkChild(books.load(server.url, 20, pause))
        // Twice each caller.
        yield* until(() => acknowledged() > 40)

        assert.isTrue(begin(folder, server))
        // Immutable files could not be deleted.
        yield* Effect.addFinalizer(() => Effect.sync(() => end(folder, server)))
        yield* until(() => refused() > 0)
        const known = refused()
        // Three times each caller.
        yield* until(() => refused() > known + 60)
        assert.strictEqual((yield* get(`${server.url}/livez`)).status, 200)
        const ready = yield* get(`${server.url}/readyz`)
        assert.strictEqual(ready.problem.code, "unavailable")
        assert.strictEqual(ready.headers.get("retry-after"), "1")

        assert.isTrue(end(folder, server))
        const after = acknowledged()
        yield* until(() => acknowledged() > after + 40)
        isOver = true
        yield* Fiber.join(load)
        // The result of the last check is cached for a second.
        yield* untilFound(get(`${server.url}/readyz`), ({ status }) => status === 200)
        const faults = yield* books.settle(server.url)
        assert.deepStrictEqual([...faults, ...(yield* books.unknownCharges(server))], [])
        assert.strictEqual(
          books.sum(({ inLedger }) => inLedger),
          acknowledged()
        )
        assert.notInclude(server.stderr(), "The service failed to answer")
      })
    )
  }
})
