import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import { goalTable } from "../../src/cli/GoalTable.ts"
import { widthOf } from "../../src/cli/Layout.ts"
import { reachGoal } from "../../src/forecast/outlook/Goals.ts"
import { type Goal } from "../../src/forecast/outlook/GoalTarget.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { assertGolden } from "../support/Golden.ts"
import { Answer } from "../support/Http.ts"
import { runHere } from "../support/CommandLine.ts"
import { assumptionsOf, decodeText, sample } from "../support/Samples.ts"

const flags = Object.entries(sample).flatMap(([name, value]) => [`--${name.replaceAll("_", "-")}`, String(value)])
const decimal = (value: number) => BigDecimal.fromNumberUnsafe(value)
const goal = (aim: Goal["aim"], target: number, chance?: number): Goal => ({
  aim,
  target: decimal(target),
  chance: chance === undefined ? undefined : decimal(chance)
})

const measured = { ...sample, show_rate: 80, evidence: { close_rate: { observed: 1, out_of: 3 } } }

const cases = {
  clients: { goal: goal("clients", 4, 0.8), campaign: sample },
  profit: { goal: goal("profit", 9000), campaign: { ...sample, show_rate: 80 } },
  reached: { goal: goal("roi_multiple", 3, 0.9), campaign: sample },
  impossible: { goal: goal("meetings", 1), campaign: { ...sample, reply_rate: 0, positive_reply_rate: 0 } },
  evidence: { goal: goal("clients", 1, 0.975), campaign: measured }
}

describe("the table of a goal", () => {
  for (const [name, { campaign, goal }] of Object.entries(cases)) {
    for (const width of [80, 60]) {
      it.effect(`reads well: ${name} at ${width} columns`, () =>
        Effect.gen(function* () {
          const assumptions = yield* decodeText(JSON.stringify(campaign))
          const text = goalTable(goal, assumptions, reachGoal(goal, assumptions), width)
          assertGolden(`cli/golden/goal-${name}-${width}.txt`, text)
          for (const line of text.split("\n")) assert.isAtMost(widthOf(line), width, line)
        })
      )
    }
  }
})

describe("goal", () => {
  it.live("says what each input has to become, offline; --json prints all of it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const args = ["goal", "--clients", "4", "--chance", "0.8", ...flags]
      const { code, stdout } = yield* runHere(directory, args)
      assert.strictEqual(code, 0)
      assert.match(stdout, /Emails sent +5,000 +7,353 +× 1\.4706\n/)
      const json = yield* runHere(directory, [...args, "--json"])
      assert.deepStrictEqual(
        new Answer(0, new Headers(), json.stdout).json,
        JSON.parse(JSON.stringify(reachGoal(goal("clients", 4, 0.8), yield* assumptionsOf())))
      )
      const below = yield* runHere(directory, ["goal", "--profit", "-500", ...flags])
      assert.include(below.stdout, "Goal: a profit of -500 on average.")
      const file = yield* runHere(directory, ["goal", "--replies", "300", "-f", "-"], {}, JSON.stringify(sample))
      assert.match(file.stdout, /Reply rate +5 % +6 % +× 1\.2\n/)
    })
  )

  it.live("says in one sentence what is wrong, and what to type, which then works", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const rates = flags.slice(0, 10)
      for (const [args, sentence] of [
        [
          [],
          "The goal needs exactly one of --replies, --meetings, --clients, --revenue, --profit, --roi-multiple; --emails"
        ],
        [flags, "The goal needs exactly one of --replies"],
        [["--clients", "4", "--meetings", "20", ...flags], "The goal needs exactly one of --replies"],
        [["--clients", "0", ...flags], "--clients must be at least 1."],
        [["--clients", "1.5", ...flags], "--clients must be a whole number."],
        [["--clients", "many", ...flags], "--clients must be a number, not a string."],
        [["--clients", "4", "--chance", "0", ...flags], "--chance must be at least 0.5."],
        [["--clients", "4", "--chance", "0.4999", ...flags], "--chance must be at least 0.5."],
        [["--clients", "4", "--chance", "1", ...flags], "--chance must be at most 0.999."],
        [["--clients", "4", ...rates.slice(0, 6)], "--meeting-booking-rate and --close-rate are required."],
        [
          ["--clients", "4", ...rates.slice(4), "--emails-sent", "0", "--reply-rate", "500"],
          "--emails-sent must be at least 1; --reply-rate must be at most 100."
        ],
        [["--revenue", "400", ...rates], "--average-deal-value is required for a goal in money."],
        [["--profit", "400", ...rates], "--average-deal-value and --campaign-cost are required for a goal in money."],
        [["--roi-multiple", "4", ...flags.slice(0, 12), "--campaign-cost", "0"], "--campaign-cost must be above 0"],
        [["--clients", "4", ...flags, "--evidence", "close_rate=1:3"], "--evidence close_rate=1:3 cannot be read"],
        [["--clients", "4", ...flags, "--evidence", "close_rate=4/3"], "evidence.close_rate.observed must be at most"],
        [["--clients", "4", "-f", "it's; gone"], "it's; gone cannot be read."]
      ] as const) {
        const wrong = yield* runHere(directory, ["goal", ...args])
        assert.deepStrictEqual([args, wrong.code], [args, 1])
        const [message = "", line = ""] = wrong.stderr.split("\n")
        assert.include(message, sentence)
        const [, typed = ""] = /^ {2}Type: outreach-forecast (.+)$/.exec(line) ?? []
        const right = yield* runHere(directory, typed.split(" "))
        assert.deepStrictEqual([typed, right.code, right.stderr], [typed, 0, ""])
      }
    })
  )
})
