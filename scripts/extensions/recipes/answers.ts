// Answers the requests in standard input, a JSON array, in the copy of the repository that it lies in.
import { text } from "node:stream/consumers"
import { Result, Schema } from "effect"
import { decodeAssumptions } from "../../../src/campaign/Assumptions.ts"
import { computeLegacyForecast } from "../../../src/forecast/LegacyForecast.ts"
import { ofForecast } from "../../../src/forecast/Spoken.ts"

const requests = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.Unknown)))(
  await text(process.stdin)
)
const answers = requests.map((request) => {
  const answer = computeLegacyForecast(Result.getOrThrow(decodeAssumptions(request)))
  return { ...answer, spoken: ofForecast(answer) }
})
process.stdout.write(JSON.stringify(answers))
