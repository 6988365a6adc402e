import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stringify } from "yaml"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { assertGolden } from "../../support/Golden.ts"
import { decodeText } from "../../support/Samples.ts"
import { practiceCampaigns } from "./practiceCampaigns.ts"

const fileOf = (name: string): string =>
  `forecast/advice/practice/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.txt`

// `REWRITE=1 npx vitest run test/forecast/advice` rewrites the files. Read the changes aloud.
describe("forecasts of campaigns from practice", () => {
  for (const { name, request } of practiceCampaigns) {
    it.effect(`match the reviewed ones: ${name}`, () =>
      Effect.gen(function* () {
        const { recommendations, risk_flags, performance_grade, calculation_notes, ...figures } = computeForecast(
          yield* decodeText(JSON.stringify(request))
        ).forecast
        const answer = { performance_grade, risk_flags, recommendations, calculation_notes, ...figures }
        const text = stringify({ request, answer }, { lineWidth: 0 })
        assertGolden(fileOf(name), text)
      })
    )
  }
})
