import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Result, Schema } from "effect"
import { decodeFields } from "../../src/input/decodeFields.ts"
import { count, optional } from "../../src/input/Schemas.ts"

const whole = count({ minimum: 1, maximum: 9, description: "How many.", example: 3 })
const Box = Schema.Struct({ width: whole, height: optional(whole) })

const Request = Schema.Struct({
  name: Schema.String,
  size: whole,
  kind: optional(Schema.Literals(["a", "b"])),
  boxes: optional(Schema.Array(Box).check(Schema.isMaxLength(2, { code: "out_of_range", message: "has too many" }))),
  box: optional(Box.annotate({ title: "Box" }))
})

const decode = decodeFields(Request)
const errorsOf = (json: unknown) =>
  Result.match(decode(json), {
    onFailure: ({ errors }) => errors.map(({ message, pointer }) => `${pointer} ${message}`),
    onSuccess: () => []
  })

describe("decodeFields", () => {
  it("takes null for a missing field at every level, and the codec writes neither", () => {
    const boxes = [{ width: 1 }, { width: 2, height: null }]
    const decoded = Result.getOrThrow(decode({ name: "a", size: 3, kind: null, box: null, boxes }))
    assert.deepStrictEqual(decoded, {
      name: "a",
      size: BigDecimal.make(3n, 0),
      boxes: [{ width: BigDecimal.make(1n, 0) }, { width: BigDecimal.make(2n, 0) }]
    })
    assert.deepStrictEqual(Schema.encodeSync(Request)(decoded), {
      name: "a",
      size: 3,
      boxes: [{ width: 1 }, { width: 2 }]
    })
    assert.deepStrictEqual(errorsOf({ name: null, size: 3, boxes: [null] }), [
      "/name is required",
      "/boxes/0 must be an object (width, height), not null"
    ])
  })

  it("finds unknown fields at every level together with everything else that is wrong", () => {
    assert.deepStrictEqual(
      errorsOf({ size: 10, kind: "c", boxes: [{ widht: 1 }, {}, {}], box: { width: "1" }, nam: "a" }),
      [
        "/name is required",
        "/size must be at most 9",
        '/kind must be "a" or "b"',
        "/boxes/0/width is required",
        "/boxes/1/width is required",
        "/boxes/2/width is required",
        "/box/width must be a number, not a string",
        '/nam is not a known field; did you mean "name"?',
        '/boxes/0/widht is not a known field; did you mean "width"?'
      ]
    )
    assert.deepStrictEqual(
      errorsOf({ name: "a", size: 1, boxes: [{ width: 1 }, { width: 1 }, { width: 1 }], more: 1 }),
      ["/boxes has too many", "/more is not a known field; the fields are name, size, kind, boxes, box"]
    )
  })

  const unknown = Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`x${index}`, 1]))
  for (const [where, fields] of [
    ["", { ...unknown, name: "a", size: 3 }],
    [" in an object", { name: "a", size: 3, box: { ...unknown, width: 1 } }],
    [" in an item of a list", { name: "a", size: 3, boxes: [{ ...unknown, width: 1 }] }],
    [
      " in all items of a list",
      { name: "a", size: 3, boxes: Array.from({ length: 8000 }, () => ({ no: 1, width: 1 })) }
    ]
  ] as const) {
    it(`lists 50 errors of thousands of unknown fields${where}`, () => {
      const errors = Result.match(decode(fields), { onFailure: ({ errors }) => errors, onSuccess: () => [] })
      assert.lengthOf(errors, 50)
      assert.isAtLeast(errors.filter(({ code }) => code === "unknown_field").length, 49)
    })
  }

  /** The number of values decoded, of the errors of a body, and of those that were only counted. */
  const countsOf = (json: (value: number) => object) => {
    let decoded = 0
    const counted = Schema.Number.check(
      Schema.makeFilter(() => ++decoded < 0, { code: "out_of_range", message: "is always wrong" })
    )
    const decodeAll = decodeFields(
      Schema.Struct({
        a: counted,
        list: optional(Schema.Array(Schema.Struct({ a: counted, b: Schema.Number })).check(Schema.isMinLength(1))),
        last: optional(counted)
      })
    )
    const { errors, more } = Result.getOrThrow(Result.flip(decodeAll(json(1))))
    return { decoded, errors: errors.length, more, last: errors.at(-1)?.pointer }
  }

  it("neither decodes nor words what comes after 50 errors, but counts it", () => {
    // More: 51 items, a field of the last item that was decoded, and three fields.
    assert.deepStrictEqual(
      countsOf((a) => ({ a, list: Array.from({ length: 100 }, () => ({ a, b: 1 })), last: a, x: 1, y: 1 })),
      { decoded: 50, errors: 50, more: 51 + 1 + 3, last: "/list/48/a" }
    )
    // Without unknown fields, the body is decoded as a whole until its first error.
    assert.deepStrictEqual(
      countsOf((a) => ({ a, list: Array.from({ length: 5000 }, () => ({ a, b: 1 })) })),
      { decoded: 51, errors: 50, more: 4951 + 1, last: "/list/48/a" }
    )
    assert.deepStrictEqual(
      countsOf((a) => ({ a, list: [{ a, b: 1 }] })),
      { decoded: 3, errors: 2, more: undefined, last: "/list/0/a" }
    )
  })

  it("counts the unknown fields after 50 errors", () => {
    const unknown = Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`x${index}`, 1]))
    for (const fields of [
      { ...unknown, name: "a", size: 3 },
      { name: "a", size: 3, box: { ...unknown, width: 1 } },
      { name: "a", size: 3, boxes: [{ ...unknown, width: 1 }] }
    ]) {
      const { errors, more } = Result.getOrThrow(Result.flip(decode(fields)))
      assert.deepStrictEqual([errors.length, more], [50, 7950])
    }
  })

  it("reads at most 200 items of a list, and the known fields and 50 others of an object", () => {
    const few = decodeFields(Request, {
      aliases: new Map([["title", "name"]]),
      check: ({ boxes, ...others }) => {
        assert.lengthOf(JSON.stringify(boxes).match(/width/g) ?? [], 200)
        assert.hasAllKeys(others, ["size", "name", ...Object.keys(unknown).slice(0, 50)])
        return []
      }
    })
    const boxes = Array.from({ length: 8000 }, () => ({ width: 1 }))
    assert.isTrue(Result.isFailure(few({ size: 3, ...unknown, title: "a", boxes })))
  })

  it("has a document with numbers for exact decimals, null for optional fields, and every description", () => {
    const text = JSON.stringify(Schema.toJsonSchemaDocument(Request).schema)
    assert.lengthOf(text.match(/"description":"How many\."/g) ?? [], 5)
    assert.lengthOf(text.match(/"type":"null"/g) ?? [], 5)
    assert.include(text, '"title":"Box"')
    assert.notInclude(text, "Infinity")
  })
})
