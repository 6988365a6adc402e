import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { installedDirectory, temporaryDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"

const owner = "--email ada@example.com --company 'Example Ltd'"

/** A line, what is wrong with it, and what to type instead. */
const mistakes = [
  // Commands.
  ["kyes list", "outreach-forecast has no command kyes; did you mean keys?", "keys list"],
  ["kyes", "outreach-forecast has no command kyes; did you mean keys?", "keys --help"],
  ["nope", "outreach-forecast has no command nope.", "--help"],
  ["keys shwo", "keys has no command shwo; did you mean show?", "keys show KEY"],
  ["keys isue --name x", "keys has no command isue; did you mean issue?", `keys issue --name x ${owner}`],
  // Flags.
  ["keys issue --nam x", "keys issue has no flag --nam; did you mean --name?", `keys issue --name x ${owner}`],
  [
    "keys issue --nam=x --json",
    "keys issue has no flag --nam; did you mean --name?",
    `keys issue --name=x --json ${owner}`
  ],
  ["keys list --frob", "keys list has no flag --frob.", "keys list --help"],
  ["keys --json list", "--json must come after keys list.", "keys list --json"],
  // What is missing.
  ["keys issue --name x", "keys issue needs --email and --company.", `keys issue --name x ${owner}`],
  ["credits grant", "credits grant needs KEY, AMOUNT and --reason.", "credits grant KEY 500 --reason 'a mistake'"],
  ["credits grant k --reason why", "credits grant needs AMOUNT.", "credits grant k --reason why 500"],
  ["orders fulfil x --reference", "--reference needs a value.", "orders fulfil x --reference 'bank 7'"],
  // Values.
  ["mails list --limit many", "--limit must be a whole number, not many.", "mails list --limit 50"],
  ["mails list --state x", "--state must be queued, sent or dead, not x.", "mails list --state queued"],
  [
    "credits grant k -5 --reason y",
    "AMOUNT must be an integer from 1 to 1000000000, not -5.",
    "credits grant k 500 --reason y"
  ],
  [
    "credits usage --month 2026-13",
    "--month must be a month such as 2026-11, not 2026-13.",
    "credits usage --month 2026-11"
  ],
  ["mails list --limit 1 --limit 2", "--limit is given 2 times; use it once.", "mails list --limit 50"],
  // Too much.
  ["keys show a b", "keys show takes fewer arguments: remove b.", "keys show a"],
  // What is not there.
  ["keys show nobody", "No key has the id or the prefix nobody.", "keys list"],
  ["orders show ord_x", "No order has the id ord_x.", "orders list"],
  ["mails retry m", "No mail has the id m.", "mails list"],
  // No password is shown again.
  [
    "database copy --form postgres://u:canary@h/d",
    "database copy has no flag --form; did you mean --from?",
    "database copy --from sqlite:data/outreach-forecast.db"
  ],
  [
    "database copy postgres://u:canary@h/d",
    "database copy takes no arguments: remove postgres://…@h/d.",
    "database copy"
  ]
] as const

/** What makes a line that fits its command, but not what is there. */
const isThere = /KEY|^credits grant k|^keys show a$|^orders fulfil x|^database copy/

const wordsOf = (line: string) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""))

describe("a mistake", () => {
  it.live("is one sentence and the line to type, which works, instead of the help", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const env = { DATABASE_URL: "sqlite:data/outreach-forecast.db" }
      for (const [line, sentence, right] of mistakes) {
        const wrong = yield* runHere(directory, wordsOf(line), env)
        assert.deepStrictEqual([wrong.code, wrong.stdout], [1, ""], line)
        assert.strictEqual(wrong.stderr, `${sentence}\n  Type: outreach-forecast ${right}\n`, line)
        const typed = yield* runHere(yield* installedDirectory, wordsOf(right), env)
        if (isThere.test(right)) assert.notMatch(typed.stderr, / needs | has no (flag|command) | must be /, right)
        else assert.deepStrictEqual([right, typed.code, typed.stderr], [right, 0, ""])
      }
    })
  )

  it.live("is wrapped on a terminal, where the line to type stays whole, and help is wrapped as wide as it is", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const { stderr } = yield* runHere(directory, ["keys", "issue"], {}, "", 40)
      const lines = stderr.trimEnd().split("\n")
      assert.isAbove(lines.length, 2)
      for (const line of lines.slice(0, -1)) assert.isAtMost(line.length, 40)
      assert.strictEqual(lines.at(-1), `  Type: outreach-forecast keys issue --name 'Ada Lovelace' ${owner}`)
      for (const width of [60, 80, 120]) {
        const help = yield* runHere(directory, ["database", "copy", "--help"], {}, "", width)
        for (const line of help.stdout.split("\n")) assert.isAtMost(line.length, width, line)
      }
    })
  )
})
