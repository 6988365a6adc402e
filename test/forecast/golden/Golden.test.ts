import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { decodeText } from "../../support/Samples.ts"
import { campaigns } from "./campaigns.ts"

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 })
const shown = (value: number | null) => (value === null ? "unknown" : number.format(value))

/** A campaign and everything that is said about it, for a reader. */
const entry = Effect.fnUntraced(function* ({ name, request }: (typeof campaigns)[number], index: number) {
  const { forecast } = computeForecast(yield* decodeText(JSON.stringify(request)))
  return [
    `${index + 1}. ${name}`,
    `   ${Object.entries(request)
      .map(([field, value]) => `${field} ${number.format(value)}`)
      .join(", ")}`,
    `   clients ${shown(forecast.estimated_clients)}, revenue ${shown(forecast.estimated_revenue)}, ROI ${shown(forecast.roi_multiple)}, ${forecast.performance_grade}`,
    `   ${forecast.risk_flags.length === 0 ? "no flags" : forecast.risk_flags.join(", ")}`,
    ...forecast.recommendations.map((text) => `   - ${text}`)
  ].join("\n")
})

const file = fileURLToPath(new URL("recommendations.txt", import.meta.url))

describe("recommendations", () => {
  // `REWRITE=1 npx vitest run test/forecast/golden` rewrites the file. Read the changes aloud.
  it.effect("of typical campaigns match the reviewed ones", () =>
    Effect.gen(function* () {
      const text = `${(yield* Effect.all(campaigns.map(entry))).join("\n\n")}\n`
      if (process.env["REWRITE"] !== undefined) writeFileSync(file, text)
      assert.strictEqual(text, readFileSync(file, "utf8"))
    })
  )
})
