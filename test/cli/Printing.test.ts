import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Stream } from "effect"
import { printStream, table } from "../../src/cli/Printing.ts"

describe("table", () => {
  it("is as wide as its widest row, however many there are", () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => ({ id: `key_${i}`, email: "ada@example.com" }))
    const lines = table(rows).split("\n")
    assert.lengthOf(lines, 200_001)
    assert.deepStrictEqual([lines[0], lines[1]], ["id          email", "key_0       ada@example.com"])
    assert.strictEqual(lines.at(-1), "key_199999  ada@example.com")
  })
})

type Row = Readonly<Record<"id" | "times", string | number>>

/** The text printed of rows that come in pages, with the number of rows that were read before each line. */
const printed = Effect.fnUntraced(function* (asJson: boolean, pages: ReadonlyArray<ReadonlyArray<Row>>) {
  const lines: Array<string> = []
  let read = 0
  const rows = Stream.fromIterable(pages).pipe(
    Stream.tap((page) => Effect.sync(() => (read += page.length))),
    Stream.flattenIterable
  )
  const readBefore: Array<number> = []
  const console = Object.assign({}, yield* Console.Console, {
    log: (text: unknown) => {
      lines.push(String(text))
      readBefore.push(read)
    }
  })
  yield* Effect.provideService(
    printStream(asJson, rows, ({ id, times }) => ({ id, n: times })),
    Console.Console,
    console
  )
  return { text: lines.join("\n"), readBefore }
})

const short: Row = { id: "a", times: 1 }
const long: Row = { id: "key_long", times: 2 }

describe("records that are read while they are printed", () => {
  it.effect("are one JSON array, as if they were printed at once", () =>
    Effect.gen(function* () {
      for (const pages of [[], [[short]], [[short, long], [short], [long, long]]]) {
        const { text } = yield* printed(true, pages)
        assert.strictEqual(text, JSON.stringify(pages.flat(), null, 2))
      }
    })
  )

  it.effect("are one table, whose columns widen", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* printed(false, [])).text, "none")
      assert.strictEqual((yield* printed(false, [[short, long]])).text, "id        n\na         1\nkey_long  2")
      const { readBefore, text } = yield* printed(false, [[short], [long], [short]])
      assert.strictEqual(text, "id  n\na   1\nkey_long  2\na         1")
      // A page is printed before the next one is read.
      assert.deepStrictEqual(readBefore, [1, 2, 3])
    })
  )
})
