import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect, Fiber } from "effect"
import { temporaryDirectory } from "../../support/Application.ts"
import { serve, until } from "../../support/Process.ts"
import { measured, sample } from "../../support/Samples.ts"

const turns = new URL("../../support/turns.mjs", import.meta.url)

/** A forecast that takes a few milliseconds to compute. */
const long = { ...measured, emails_sent: 100_000_000 }

describe("answers that take long", () => {
  it.live(
    "let others pass, and the event loop turn: 30 forecasts with evidence beside one without",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const server = yield* serve(directory, {
          DEMO_CREDITS: "1000",
          NODE_OPTIONS: `--import=${fileURLToPath(turns)}`,
          TURNS: `${directory}/turns`
        })
        const ask = (body: object) =>
          Effect.promise(async () => {
            const answer = await fetch(`${server.url}/api/v1/forecast`, {
              method: "POST",
              headers: { "x-api-key": "demo", "content-type": "application/json" },
              body: JSON.stringify(body)
            })
            return { status: answer.status, text: await answer.text() }
          })
        // What is compiled and connected once.
        for (let i = 0; i < 3; i++) {
          yield* Effect.all(
            Arr.makeBy(10, (i) => ask(i === 0 ? sample : long)),
            { concurrency: "unbounded" }
          )
        }
        server.process.kill("SIGUSR2")

        let answered = 0
        const noted = Effect.tap(ask(long), () => Effect.sync(() => answered++))
        const others = yield* Effect.forkChild(Effect.replicateEffect(noted, 30, { concurrency: "unbounded" }))
        yield* until(() => answered > 0)
        assert.strictEqual((yield* ask(sample)).status, 200)
        assert.isBelow(answered, 15)
        const answers = yield* Fiber.join(others)
        for (const { status, text } of answers) {
          assert.strictEqual(status, 200)
          assert.include(text, '"basis":"evidence"')
        }

        server.process.kill("SIGUSR2")
        yield* until(() => existsSync(`${directory}/turns`) && readFileSync(`${directory}/turns`, "utf8") !== "")
        const longest = Number(readFileSync(`${directory}/turns`, "utf8"))
        assert.isAbove(longest, 0)
        assert.isBelow(longest, 20)
      }),
    60_000
  )
})
