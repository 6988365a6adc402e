import { assert, describe, it } from "@effect/vitest"
import { withIdempotencyKey } from "../../src/idempotency/IdempotencyDocument.ts"

describe("withIdempotencyKey", () => {
  it("keeps the operation's own parameters", () => {
    const month = { name: "month", in: "query" }
    const { parameters } = withIdempotencyKey({ parameters: [month] })
    assert.deepInclude(parameters, month)
  })
})
