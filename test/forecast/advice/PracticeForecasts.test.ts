import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stringify } from "yaml"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { assertGolden } from "../../support/Golden.ts"
import { decodeText } from "../../support/Samples.ts"
import { practiceCampaigns } from "./practiceCampaigns.ts"

const answerTo = Effect.fnUntraced(function* ({ name, request }: (typeof practiceCampaigns)[number]) {
  const { forecast } = computeForecast(yield* decodeText(JSON.stringify(request)))
  const { performance_grade, recommendations, risk_flags } = forecast
  return [name, { request, performance_grade, risk_flags, recommendations }] as const
})

// `REWRITE=1 npx vitest run test/forecast/advice` rewrites the file. Read the changes aloud.
describe("advice on campaigns from practice", () => {
  it.effect("matches the reviewed grades, flags and recommendations", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(practiceCampaigns, answerTo)
      assertGolden("forecast/advice/practice.txt", stringify(Object.fromEntries(answers), { lineWidth: 0 }))
    })
  )
})
