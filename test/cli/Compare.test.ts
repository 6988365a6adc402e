import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Compared, compareTable } from "../../src/cli/CompareTable.ts"
import { widthOf } from "../../src/cli/Layout.ts"
import { summarize } from "../../src/forecast/CampaignForecast.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { assertGolden } from "../support/Golden.ts"
import { Answer } from "../support/Http.ts"
import { runHere } from "../support/CommandLine.ts"
import { decodeText, sample } from "../support/Samples.ts"

const measured = { ...sample, evidence: { close_rate: { observed: 1, out_of: 3 } } }
const { average_deal_value: _, ...withoutValue } = sample

const cases = {
  three: [
    { name: "Agencies", ...sample },
    { name: "Shops", ...sample, emails_sent: 500 },
    { name: "Trades, all that there are in the whole country", ...sample, emails_sent: 4000, average_deal_value: 1800 }
  ],
  unnamed: [withoutValue, { ...withoutValue, emails_sent: 6000 }, withoutValue],
  one: [{ name: "Agencies", ...sample }],
  evidence: [
    { name: "Measured", ...measured },
    { name: "\u001b[31m漢字\u202e", ...sample, close_rate: 0 }
  ]
}

const compared = Effect.fnUntraced(function* (campaigns: ReadonlyArray<object & { readonly name?: string }>) {
  const named = yield* Effect.forEach(campaigns, ({ name, ...campaign }) =>
    Effect.map(decodeText(JSON.stringify(campaign)), (assumptions) => ({
      ...(name === undefined ? {} : { name }),
      ...assumptions
    }))
  )
  return {
    forecasts: named.map(({ name, ...assumptions }) => ({
      name: name ?? null,
      ...computeForecast(assumptions).forecast
    })),
    ...summarize(named)
  } satisfies Compared
})

describe("the table of a comparison", () => {
  for (const [name, campaigns] of Object.entries(cases)) {
    for (const width of [80, 60]) {
      it.effect(`reads well: ${name} at ${width} columns`, () =>
        Effect.gen(function* () {
          const text = compareTable(yield* compared(campaigns), width)
          assertGolden(`cli/golden/compare-${name}-${width}.txt`, text)
          for (const line of text.split("\n")) assert.isAtMost(widthOf(line), width, line)
          assert.notMatch(text, /[^\P{Cc}\n]|\p{Cf}/u)
        })
      )
    }
  }
})

const header = "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate"
const line = (name: string, ...numbers: ReadonlyArray<number | string>) => [name, ...numbers].join(",")
const compare = Effect.fnUntraced(function* (text: string, ...args: ReadonlyArray<string>) {
  return yield* runHere(yield* temporaryDirectory, ["compare", "-", ...args], {}, text)
})

describe("compare", () => {
  it.live("ranks the campaigns of a file, however a spreadsheet has written it; --json prints all of it", () =>
    Effect.gen(function* () {
      const rows = [header, line("B", 500, 5, 30, 20, 25), "", line('"A, ""the best"""', "5e3", "5.0", 30, 20, 25)]
      const { code, stdout } = yield* compare(rows.join("\n"))
      assert.strictEqual(code, 0)
      assert.match(stdout, /1 +A, "the best" +3\.75 .* 9\d of 100 +\d+ of 100\n +2 +B +0\.375 /)
      const json = yield* compare(`\uFEFF${rows.join("\r\n")}\r\n,,,,,\r\n`, "--json")
      const answer = new Answer(0, new Headers(), json.stdout).json
      assert.deepStrictEqual(Object.keys(answer), ["forecasts", "totals", "ranking", "calculation_notes"])
      assert.include(answer["totals"], { campaigns: 2, emails_sent: 5500, estimated_clients: 4.125 })
      assert.deepInclude(answer["ranking"], { by: "clients", order: ['A, "the best"', "B"] })
      const semicolons = yield* compare(
        "emails_sent;reply_rate;positive_reply_rate;meeting_booking_rate;close_rate\n5;5;5;5;5"
      )
      assert.match(semicolons.stdout, /1 +Campaign 1 /)
    })
  )

  it.live("says what is wrong with a file, where, and ends with 1", () =>
    Effect.gen(function* () {
      const good = line("A", 5000, 5, 30, 20, 25)
      for (const [rows, ...messages] of [
        [[""], "is empty; send a header line, and a line for each campaign"],
        [[header], "must have 1 to 1,000 campaigns, not 0"],
        [[header, ...Array.from({ length: 1001 }, () => good)], "must have 1 to 1,000 campaigns, not 1,001"],
        [
          ["name,emails_sent", "A,5000"],
          "line 1, column reply_rate: is required, and the header has no such column",
          "line 1, column close_rate: is required"
        ],
        [[`${header},close_rate`, `${good},5`], "line 1, column close_rate: is the same field as an earlier column"],
        [[`${header},bounce_rate`, `${good},5`, `${good.replace("A", "B")},5`], "line 1, column bounce_rate: is not"],
        [[header, good, "", line("B", 0, 5, 30, 20, 25)], "line 4, column emails_sent: must be at least 1"],
        [[header, '"A\nB",5000,5,30,20,25', line("C", 1, "5,5", 30, 20, 25)], "line 4: has something in cell 7"],
        [
          [header, '"A\nB",5000,5,30,20,25', line("C", 1, '"5,5"', 30, 20, 200)],
          "line 4, column reply_rate: must be a number such as",
          "line 4, column close_rate: must be at most 100"
        ],
        [
          [header, line("A", 1, "=1+1", 30, 20, "")],
          "line 2, column reply_rate: must be a number",
          "line 2, column close_rate: is required"
        ],
        [
          [header, good, good],
          "line 3, column name: is the name of the campaign on line 2 too; give each campaign its own name"
        ],
        [[header, good, '"B,5000,5,30,20,25'], "line 3: has a quote that is not closed"],
        [[header, good, 'B "b",5000,5,30,20,25'], "line 3: has a quote within a cell"],
        [[header.replace("name", "\u001b[31mx"), good], "column  [31mx: is not a known field"]
      ] as const) {
        const { code, stderr, stdout } = yield* compare(rows.join("\n"))
        assert.deepStrictEqual([stdout, code], ["", 1])
        for (const message of messages) assert.include(stderr, message)
        assert.notMatch(stderr, /[^\P{Cc}\n]/u)
      }
      const missing = yield* runHere(yield* temporaryDirectory, ["compare", "gone.csv"])
      assert.deepStrictEqual([missing.code, missing.stderr.includes("gone.csv cannot be read")], [1, true])
    })
  )
})
