import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assetPath } from "../../../src/site/Assets.ts"
import { temporaryDirectory } from "../../support/Application.ts"
import { lacksProc } from "../../support/Machine.ts"
import { type Running, serve, stop, until } from "../../support/Process.ts"
import { getFrom } from "../../support/Requests.ts"
import { openClient } from "../../support/Sockets.ts"
import { slowly } from "../../support/slowly.ts"

const largest = assetPath("calculator.js")
/** More than the system buffers for a client that does not read. */
const requests = `GET ${largest} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(100)

const openReaders = (port: number, count: number) =>
  Effect.replicateEffect(openClient(port, requests, { reads: false }), count, { concurrency: 50 })

const descriptorsOf = ({ process }: Running) => readdirSync(`/proc/${process.pid}/fd`).length

/** A server, and the memory that it uses after a garbage collection, in bytes. */
const serveWithMemory = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const file = `${directory}/memory`
  const { href: preload } = new URL("../../support/memory.mjs", import.meta.url)
  const server = yield* serve(directory, { NODE_OPTIONS: `--expose-gc --import=${preload}`, MEMORY: file })
  const memory = Effect.gen(function* () {
    server.process.kill("SIGUSR2")
    yield* until(() => existsSync(file))
    const bytes = Number(readFileSync(file, "utf8"))
    rmSync(file)
    return bytes
  })
  return { server, memory }
})

describe.skipIf(lacksProc())("clients that request the largest file and do not read it", slowly, () => {
  it.live("delay nobody, not even shutdown, and use less memory than a copy of the file for each", () =>
    Effect.gen(function* () {
      const { memory, server } = yield* serveWithMemory
      const length = Buffer.byteLength((yield* getFrom(server.url, largest)).text)
      const before = yield* memory
      const clients = yield* openReaders(server.port, 60)
      const areOpen = () => descriptorsOf(server) >= clients.length
      yield* until(areOpen)
      for (let i = 0; i < 10; i++) {
        assert.strictEqual((yield* getFrom(server.url, "/livez")).status, 200)
        assert.isBelow(yield* memory, before + clients.length * length)
      }
      assert.isTrue(areOpen(), "none has been cut off meanwhile")
      assert.strictEqual((yield* stop(server, "SIGTERM")).code, 0)
    })
  )
})
