// Answers the requests in standard input, a JSON array, in the copy of the repository that it lies in.
import { text } from "node:stream/consumers"
import { Result, Schema } from "effect"
import { decodeAssumptions } from "../../../src/campaign/Assumptions.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { computeLegacyForecast } from "../../../src/forecast/LegacyForecast.ts"

const requests = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.Unknown)))(
  await text(process.stdin)
)
const answers = requests.map((request) => {
  const assumptions = Result.getOrThrow(decodeAssumptions(request))
  return { ...computeLegacyForecast(assumptions), spoken: computeForecast(assumptions).forecast.summary }
})
process.stdout.write(JSON.stringify(answers))
