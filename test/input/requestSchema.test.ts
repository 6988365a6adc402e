import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { count } from "../../src/input/numberSchemas.ts"
import { requestSchema } from "../../src/input/requestSchema.ts"

const whole = count({ minimum: 1, maximum: 9, description: "How many.", example: 3 })

const request = requestSchema(
  Schema.Struct({
    name: Schema.String,
    size: whole,
    limit: Schema.optionalKey(whole),
    rows: Schema.optionalKey(
      Schema.Array(Schema.Struct({ width: whole, height: Schema.optionalKey(whole) })).check(Schema.isMaxLength(2))
    ),
    box: Schema.optionalKey(
      Schema.Struct({ width: whole, height: Schema.optionalKey(whole) }).annotate({ title: "Box" })
    )
  })
)

describe("the schema of a request", () => {
  it("has numbers for exact decimals, and null for optional fields", () => {
    const isAccepted = (value: (typeof request)["Type"]) => Result.isSuccess(Schema.decodeUnknownResult(request)(value))
    assert.isTrue(isAccepted({ name: "a", size: 3 }))
    assert.isTrue(isAccepted({ name: "a", size: 3, limit: null, box: null }))
    assert.isTrue(isAccepted({ name: "a", size: 3, limit: 9, box: { width: 1, height: null } }))
    assert.isTrue(isAccepted({ name: "a", size: 3, rows: [{ width: 1 }, { width: 2, height: null }] }))
    assert.isFalse(isAccepted({ name: "a", size: 3, rows: [{ width: 1 }, { width: 10 }] }))
    assert.isFalse(isAccepted({ name: "a", size: 3, rows: [{ width: 1 }, { width: 1 }, { width: 1 }] }))
    assert.isFalse(isAccepted({ name: "a", size: 10 }))
    assert.isFalse(isAccepted({ name: "a", size: 3, box: { width: 10 } }))
    assert.isTrue(Result.isFailure(Schema.decodeUnknownResult(request)({ name: "a", size: null })))
  })

  it("keeps the descriptions of fields, including nested ones", () => {
    const text = JSON.stringify(Schema.toJsonSchemaDocument(request).schema)
    assert.lengthOf(text.match(/"description":"How many\."/g) ?? [], 6)
    assert.include(text, '"title":"Box"')
  })
})
