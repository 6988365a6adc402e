import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onItsLines, safeJson } from "../../src/text/SafeText.ts"
import { defaultCreditPacks } from "../../src/settings/CreditPack.ts"
import { applicationOn, installedDirectory } from "../support/Application.ts"
import { issueHere, runHere } from "../support/CommandLine.ts"
import { openSqlite } from "../support/SqliteFile.ts"
import { placeOrder } from "../support/Orders.ts"

/** Characters that control a terminal: colours, cursor, title, clipboard, direction, tags, other line breaks. */
const malicious = "\u001b[2J\u001b]52;c;AA\u0007\r\u0008\u009b31m\u007f\u202eabc\u2066\u200f\u{e0041}\u2028\u0085"
const controlCharacters = /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u

/** A database with a row in each table that commands show, in which every possible text is `evil`. */
const maliciousDatabase = Effect.gen(function* () {
  const directory = yield* installedDirectory
  const file = `${directory}/data/outreach-forecast.db`
  yield* issueHere(directory)
  const order = Effect.gen(function* () {
    const [pack = assert.fail()] = defaultCreditPacks
    const owner = { name: "Bob", email: "bob@example.com", company: "Example" }
    return (yield* placeOrder(pack, owner)).id
  })
  const id = yield* Effect.provide(order, applicationOn(`sqlite:${file}`))
  yield* runHere(directory, ["orders", "fulfil", id, "--reference", "bank 7"])
  const database = openSqlite(file)
  let count = 0
  for (const { name } of database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
    for (const column of database.prepare(`PRAGMA table_info(${String(name)})`).all()) {
      if (column["type"] !== "TEXT" || column["pk"] !== 0 || column["name"] === "currency") continue
      try {
        database.prepare(`UPDATE ${String(name)} SET ${String(column["name"])} = ?`).run(malicious)
        count++
      } catch {
        // A column with a check or a foreign key.
      }
    }
  }
  database.close()
  assert.isAbove(count, 10)
  return { directory, id }
})

describe("a terminal", () => {
  it.live("gets no control sequence from any command, whatever the database holds, in text and in JSON", () =>
    Effect.gen(function* () {
      const { directory, id } = yield* maliciousDatabase
      const listed = yield* runHere(directory, ["keys", "list", "--json"])
      const keys = [...listed.stdout.matchAll(/key_\w{16}/g)].map(([key]) => key)
      const mails = [...(yield* runHere(directory, ["mails", "list"])).stdout.matchAll(/[0-9a-f-]{36}/g)]
      assert.isAbove(keys.length * mails.length, 0)
      let shown = ""
      for (const command of [
        ["keys", "list"],
        ...keys.map((key) => ["keys", "show", key]),
        ["credits", "usage"],
        ["orders", "list"],
        ["orders", "list", "--overdue"],
        ["orders", "show", id],
        ["mails", "list"],
        ...mails.map(([mail]) => ["mails", "show", mail]),
        ...mails.map(([mail]) => ["why", mail]),
        ...keys.map((key) => ["why", key]),
        ["why", id],
        ["why", malicious],
        ["ledger", "verify"],
        ["orders", "fulfil", id, "--reference", malicious],
        ["keys", "show", malicious],
        ["keys", malicious],
        [malicious],
        ["keys", "list", `--${malicious}`],
        ["mails", "list", "--limit", malicious],
        ["database", "backup", `${malicious}/backup.db`]
      ]) {
        for (const args of [command, [...command, "--json"]]) {
          const { stderr, stdout } = yield* runHere(directory, args, { LOG_LEVEL: "debug" })
          assert.notMatch(stdout + stderr, controlCharacters, JSON.stringify(args))
          shown += stdout
        }
      }
      // The text is present, as JSON escapes it and as a line can show it.
      assert.include(shown, "\\u001b[2J")
      assert.include(shown, " [2J ]52;c;AA")
    })
  )

  it("gets JSON that means the same", () => {
    const value = { [malicious]: [malicious, "plain", 1], tab: "a\tb" }
    const text = safeJson(value, 2)
    assert.notMatch(text, controlCharacters)
    assert.deepStrictEqual(JSON.parse(text), value)
    assert.strictEqual(onItsLines("a\nb\tc"), "a\nb c")
  })
})
