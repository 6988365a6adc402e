import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readRecords } from "../../src/extensions/tables/Records.ts"
import { modelVersion } from "../../src/forecast/modelVersion.ts"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { httpApplication, issueKey, post } from "../support/Http.ts"
import { nothingSent } from "./support/InFlight.ts"
import { sample } from "../support/Samples.ts"

const decodeList = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ forecasts: Schema.Array(Schema.Struct({ model_version: Schema.String })) }))
)

layer(httpApplication())("model_version", (it) => {
  it.effect("model_version is in every forecast, goal, campaign in flight and list", () =>
    Effect.gen(function* () {
      const { secret: key } = yield* issueKey()
      for (const [path, request] of [
        ["/api/v1/forecast", sample],
        ["/api/v1/service/roi", sample],
        ["/api/v1/goals", { ...sample, goal: { clients: 4 } }],
        ["/api/v1/progress", { ...sample, so_far: nothingSent }]
      ] as const) {
        const { json } = yield* post(path, { key, body: JSON.stringify(request) })
        assert.include(json, { model_version: modelVersion }, path)
      }
      const list = { key, body: body(campaigns(2)) }
      const { text: json } = yield* post("/api/v1/forecasts", list)
      assert.deepStrictEqual(
        decodeList(json).forecasts.map(({ model_version }) => model_version),
        [modelVersion, modelVersion]
      )
      const { text: csv } = yield* post("/api/v1/forecasts", { ...list, headers: { accept: "text/csv" } })
      const [header, ...rows] = readRecords(csv).records
      const place = header?.cells.indexOf("model_version") ?? -1
      assert.deepStrictEqual(
        rows.map(({ cells }) => cells[place]),
        [modelVersion, modelVersion]
      )
    })
  )
})
