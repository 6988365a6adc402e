import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { openBooks } from "../support/Books.ts"
import { serve, until, untilFound } from "../support/Process.ts"
import { getFrom } from "../support/Requests.ts"
import { slowly } from "../support/slowly.ts"

const works = (command: string, ...args: ReadonlyArray<string>) => spawnSync(command, args).status === 0

/** Room for a log that is written back every 16 MiB. */
const mount = (folder: string) => works("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder)
const unmount = (folder: string) => works("umount", "--lazy", folder)

/** True if a small disk can be mounted on this machine. */
const canMount = (): boolean => {
  const folder = mkdtempSync(`${tmpdir()}/outreach-forecast-`)
  const isPossible = mount(folder) && unmount(folder)
  rmSync(folder, { recursive: true })
  return isPossible
}

const can = canMount()
if (!can) process.stderr.write("\nNOT TESTED on this machine: a full disk. It takes root and Linux.\n\n")

describe("a server outlives", slowly, () => {
  it.live.skipIf(!can)("a full disk: 503 and no charge while it lasts, forecasts again by itself afterwards", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const folder = `${directory}/data`
      mkdirSync(folder)
      yield* Effect.acquireRelease(
        Effect.sync(() => mount(folder)),
        () => Effect.sync(() => unmount(folder))
      )
      const books = yield* openBooks(`sqlite:${folder}/outreach-forecast.db`)
      const server = yield* serve(directory)
      const acknowledged = () => books.sum((account) => account.acknowledged.size)
      const refused = () => books.sum((account) => account.refused)
      let isOver = false
      const pause = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(!isOver), 5))
      const load = yield* Effect.forkChild(books.load(server.url, 20, pause))
      // Twice each caller.
      yield* until(() => acknowledged() > 40)

      // dd writes until there is no room for another page, and then fails.
      assert.isFalse(works("dd", "if=/dev/zero", `of=${folder}/filler`, "bs=4k"))
      yield* until(() => refused() > 0)
      const known = refused()
      // Three times each caller.
      yield* until(() => refused() > known + 60)
      assert.strictEqual((yield* getFrom(server.url, "/livez")).status, 200)
      const ready = yield* getFrom(server.url, "/readyz")
      assert.strictEqual(ready.problem.code, "unavailable")
      assert.strictEqual(ready.headers.get("retry-after"), "1")

      assert.isTrue(works("rm", `${folder}/filler`))
      const after = acknowledged()
      yield* until(() => acknowledged() > after + 40)
      isOver = true
      yield* Fiber.join(load)
      // The result of the last check is cached for a second.
      yield* untilFound(getFrom(server.url, "/readyz"), ({ status }) => status === 200)
      const faults = yield* books.settle(server.url)
      assert.deepStrictEqual([...faults, ...(yield* books.unknownCharges(server.stderr()))], [])
      assert.strictEqual(
        books.sum(({ inLedger }) => inLedger),
        acknowledged()
      )
      assert.notInclude(server.stderr(), "The service failed to answer")
    })
  )
})
