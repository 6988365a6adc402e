import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { startCommand, until } from "../support/Process.ts"

const module = JSON.stringify(fileURLToPath(new URL("../../scripts/lock.mjs", import.meta.url)))

/** Starts a process that takes the lock "lock" of a folder and then runs a piece of code. */
const startHolder = (directory: string, code: string) =>
  startCommand(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import { takeLock } from ${module}
       import { readFileSync, writeFileSync } from "node:fs"
       const release = takeLock("lock", "counts")
       ${code}`
    ],
    directory,
    {}
  )

describe("takeLock", () => {
  it.live("lets one process at a time through, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(`${directory}/count`, "0")
      const add = `for (let i = 0; i < 20; i++) {
        const count = Number(readFileSync("count", "utf8"))
        writeFileSync("count", String(count + 1))
      }
      release()`
      const holders = yield* Effect.all(Arr.makeBy(8, () => startHolder(directory, add)))
      for (const { exit, stderr } of holders) assert.strictEqual(yield* Effect.promise(() => exit), 0, stderr())
      assert.strictEqual(readFileSync(`${directory}/count`, "utf8"), "160")
      assert.deepStrictEqual(readdirSync(directory), ["count"])
    })
  )

  it.live("says which process it waits for, and takes over from one that was killed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const hold = `writeFileSync("held", ""); setInterval(() => {}, 1000)`
      const first = yield* startHolder(directory, hold)
      yield* until(() => existsSync(`${directory}/held`))
      const waiting = yield* Effect.all(Arr.makeBy(3, () => startHolder(directory, `release()`)))
      for (const { stderr } of waiting) yield* until(() => stderr() !== "")
      first.process.kill("SIGKILL")
      for (const { exit, stderr } of waiting) {
        assert.strictEqual(yield* Effect.promise(() => exit), 0)
        assert.match(stderr(), new RegExp(`^Waiting for process ${first.process.pid}, which counts …\n`))
      }
      assert.deepStrictEqual(readdirSync(directory), ["held"])
    })
  )

  it.live.skipIf(process.platform !== "linux")("takes over from a process whose ID has been reused", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const first = yield* startHolder(directory, `process.exit()`)
      yield* Effect.promise(() => first.exit)
      const [held = ""] = readdirSync(`${directory}/lock`)
      assert.match(held, new RegExp(`^${first.process.pid}`))
      writeFileSync(`${directory}/lock/${process.pid}-1`, "")
      const next = yield* startHolder(directory, `release()`)
      assert.strictEqual(yield* Effect.promise(() => next.exit), 0)
      assert.deepStrictEqual(readdirSync(directory), [])
    })
  )
})
