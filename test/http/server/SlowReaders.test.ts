import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assetPath } from "../../../src/site/Assets.ts"
import { temporaryDirectory } from "../../support/Application.ts"
import { lacksProc } from "../../support/Machine.ts"
import { type Running, serve, stop, until } from "../../support/Process.ts"
import { openClient, pause } from "../../support/Sockets.ts"

const largest = assetPath("calculator.js")
/** More than the system buffers for a client that does not read. */
const ask = `GET ${largest} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(100)

/** The memory of a process that is in use, in MB. */
const memoryOf = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const descriptorsOf = ({ process }: Running) => readdirSync(`/proc/${process.pid}/fd`).length

const timed = (url: string) =>
  Effect.promise(async () => {
    const started = performance.now()
    const answer = await fetch(url)
    await answer.arrayBuffer()
    return { status: answer.status, millis: performance.now() - started }
  })

// They mostly wait for timeouts, each with its own server.
describe.skipIf(lacksProc()).concurrent("clients that ask for the largest file and do not read it", () => {
  it.live("use little memory, delay nobody, and are cut off after the limit", () =>
    Effect.gen(function* () {
      const server = yield* serve(yield* temporaryDirectory, { ANSWER_TIMEOUT_MS: "3000" })
      assert.strictEqual((yield* timed(`${server.url}${largest}`)).status, 200)
      const before = memoryOf(server.process.pid)
      const descriptors = descriptorsOf(server)
      yield* Effect.replicateEffect(openClient(server.port, ask, { reads: false }), 200, {
        concurrency: 50
      })
      const waits: Array<number> = []
      for (let i = 0; i < 10; i++) {
        const { millis, status } = yield* timed(`${server.url}/livez`)
        assert.strictEqual(status, 200)
        waits.push(millis)
        assert.isBelow(memoryOf(server.process.pid), before + 60)
        yield* pause(100)
      }
      // The slowest responses are ignored, because the machine may be busy.
      assert.isBelow(waits.toSorted((a, b) => a - b)[5] ?? Infinity, 1000)
      yield* until(() => descriptorsOf(server) <= descriptors + 2)
      assert.strictEqual((yield* timed(`${server.url}${largest}`)).status, 200)
    })
  )

  it.live("do not delay shutdown", () =>
    Effect.gen(function* () {
      const server = yield* serve(yield* temporaryDirectory)
      yield* Effect.replicateEffect(openClient(server.port, ask, { reads: false }), 20, { concurrency: 20 })
      yield* pause(200)
      const { code, millis } = yield* stop(server, "SIGTERM")
      assert.strictEqual(code, 0)
      // 10 seconds, and a margin for a busy machine.
      assert.isBelow(millis, 14_000)
    })
  )
})
