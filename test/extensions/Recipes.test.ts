import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { carryOut, copyInto, namedIn } from "../../scripts/extensions/recipes/carryOut.ts"
import { recipes } from "../../scripts/extensions/recipes/recipes.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { campaigns } from "../forecast/golden/campaigns.ts"
import { finished, startCommand } from "../support/Process.ts"
import { sample } from "../support/Samples.ts"
import { once } from "../support/once.ts"
import { slowly } from "../support/slowly.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const Answers = Schema.fromJsonString(
  Schema.Array(
    Schema.StructWithRest(
      Schema.Struct({ risk_flags: Schema.Array(Schema.String), recommendations: Schema.Array(Schema.String) }),
      [Schema.Record(Schema.String, Schema.Unknown)]
    )
  )
)

/** The answers of a copy of the repository to forecasts. */
const answersIn = (folder: string, requests: ReadonlyArray<object>) =>
  startCommand(process.execPath, ["scripts/extensions/recipes/answers.ts"], folder, {}, JSON.stringify(requests)).pipe(
    Effect.flatMap(finished),
    Effect.flatMap(Schema.decodeEffect(Answers)),
    Effect.scoped,
    Effect.orDie
  )

/** A copy in which the recipes of some sections were carried out. */
const copyWith = Effect.fnUntraced(function* (...sections: ReadonlyArray<string>) {
  const folder = yield* temporaryDirectory
  copyInto(folder, [
    "src",
    "scripts/docTables",
    "scripts/extensions/recipes",
    "test/Settings.test.ts",
    "docs/credits.md",
    "package.json"
  ])
  for (const { first, rest, section } of recipes) {
    if (sections.includes(section)) carryOut(folder, [...first, ...rest])
  }
  return folder
})

const requests = campaigns.map(({ request }) => request)

const answersNow = once(answersIn(root, requests))

// scripts/extensions/recipes.ts compiles after each step, which takes a minute.
describe("the recipes of CONTRIBUTING.md", slowly, () => {
  it.effect("can be carried out, and name files that exist", () =>
    Effect.gen(function* () {
      yield* copyWith(...recipes.map(({ section }) => section))
      for (const file of recipes.flatMap(({ section }) => namedIn(section))) {
        assert.isTrue(existsSync(`${root}${file}`), file)
      }
    })
  )

  it.live("add a risk flag that changes nothing else", () =>
    Effect.gen(function* () {
      const changed = yield* answersIn(yield* copyWith("Add a risk flag"), requests)
      const raised = changed.filter(({ risk_flags: flags }) => flags.includes("round_volume"))
      assert.isAbove(raised.length, 10)
      const without = changed.map(({ risk_flags: flags, ...answer }) => ({
        ...answer,
        risk_flags: flags.filter((flag) => flag !== "round_volume")
      }))
      assert.deepStrictEqual<unknown>(without, yield* answersNow)
    })
  )

  it.live("add a rate that changes no answer without it, and that comparisons with published figures multiply", () =>
    Effect.gen(function* () {
      const folder = yield* copyWith("Add a field to a campaign")
      const close = { ...sample, close_rate: 40, show_rate: 80 }
      const [offered, notOffered, none, ...others] = yield* answersIn(folder, [
        { ...close, offer_rate: 50 },
        close,
        { ...close, offer_rate: 0 },
        ...requests
      ])
      const without = others.map(({ estimated_offers: offers, ...answer }) => {
        assert.isNull(offers)
        return answer
      })
      assert.deepStrictEqual<unknown>(without, yield* answersNow)
      assert.notInclude(offered?.risk_flags ?? [], "optimistic_close_rate")
      assert.include(notOffered?.risk_flags ?? [], "optimistic_close_rate")
      assert.include(notOffered?.recommendations.join(" "), "(32% of booked meetings")
      assert.deepStrictEqual(none?.recommendations, [
        "Replace the offer rate of 0%, which leaves no client however many emails you send: by your own campaigns."
      ])
    })
  )
})
