import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Stdio, Terminal } from "effect"
import { TestClock } from "effect/testing"
import { leftInWords, stageLine, withProgress } from "../../src/cli/ProgressLine.ts"
import { WorkProgress } from "../../src/observability/WorkProgress.ts"
import { installedDirectory } from "../support/Application.ts"
import { issueHere, runHere, terminal } from "../support/CommandLine.ts"

/** The output on standard error in the meantime. */
const written = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => process.stderr.write.bind(process.stderr)),
    () => {
      const texts: Array<string> = []
      process.stderr.write = (chunk: string | Uint8Array) => texts.push(String(chunk)) > 0
      return Effect.as(effect, texts)
    },
    (write) =>
      Effect.sync(() => {
        process.stderr.write = write
      })
  )

const on = (isTerminal: boolean) => (effect: Effect.Effect<void, unknown, Stdio.Stdio | Terminal.Terminal>) =>
  effect.pipe(
    Effect.provide(Stdio.layerTest({ stderrIsTerminal: Effect.succeed(isTerminal) })),
    Effect.provideService(Terminal.Terminal, terminal(80))
  )

/** Ten seconds of work, each of which completes 10%. */
const work = Effect.gen(function* () {
  const { report } = yield* WorkProgress
  for (let done = 1; done <= 10; done++) {
    yield* TestClock.adjust("1 second")
    report({ work: "Checking", done, total: 10 })
    report({ work: "Checking", done, total: 10 })
  }
})

describe("progress", () => {
  it.effect("is shown on a terminal with the time left, at a readable pace, and disappears at the end", () =>
    Effect.gen(function* () {
      const texts = yield* written(on(true)(withProgress(work)))
      assert.strictEqual(texts.length, 11)
      assert.match(texts[4] ?? "", /Checking {2}█+·+ {2} 50% {2}about 5 s left$/)
      assert.isTrue(texts.every((text) => text.startsWith("\r\u001b[2K")))
      assert.strictEqual(texts.at(-1), "\r\u001b[2K")
    })
  )

  it.effect("is not shown elsewhere, nor for short work", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* written(on(false)(withProgress(work))), [])
      const short = WorkProgress.use(({ report }) => Effect.sync(() => report({ work: "Checking", done: 1, total: 2 })))
      assert.deepStrictEqual(yield* written(on(true)(withProgress(short))), [])
    })
  )

  it.effect("gives way to other output", () =>
    Effect.gen(function* () {
      const printing = Effect.andThen(
        WorkProgress.use(({ report }) => Effect.sync(() => report({ work: "Counting \u001b[2J" }))),
        Console.log("found")
      )
      const texts: Array<string> = []
      const error = (text: string) => process.stderr.write(text)
      const console: Console.Console = { ...globalThis.console, log: error }
      const all = Effect.provideService(withProgress(printing), Console.Console, console)
      texts.push(...(yield* written(on(true)(all))))
      assert.deepStrictEqual(texts, ["\r\u001b[2KCounting  [2J …", "\r\u001b[2K", "found", "\r\u001b[2K"])
    })
  )

  it.live("of a backup names its steps, and leaves the output of a pipe alone", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issueHere(directory)
      const env = { DATABASE_URL: "sqlite:data/outreach-forecast.db" }
      const shown = yield* runHere(directory, ["database", "backup", "a.db"], env, "", 80)
      assert.include(shown.stderr, "\r\u001b[2KChecking the pages …")
      assert.isTrue(shown.stderr.endsWith("\r\u001b[2K"))
      const quiet = yield* runHere(directory, ["database", "backup", "b.db"], env)
      assert.strictEqual(quiet.stderr, "")
    })
  )

  it("fits into the terminal, and claims no false precision", () => {
    for (const width of [40, 60, 80, 200]) {
      for (const done of [0, 1, 50, 100, 120]) {
        const line = stageLine({ work: "Comparing", detail: "idempotent_answers", done, total: 100 }, 90_000, width)
        assert.isBelow(line.length, width, line)
      }
    }
    assert.notInclude(stageLine({ work: "Checking", done: 1, total: 100 }, 90_000, 80), "left")
    assert.deepStrictEqual([1, 12_000, 61_000, 3_600_000].map(leftInWords), [
      "about 5 s left",
      "about 15 s left",
      "about 2 min left",
      "about 1 h left"
    ])
  })
})
