import { assert, describe, it } from "@effect/vitest"
import { breaksOf, currentContract, recordedContract } from "../../../scripts/openApiV1.ts"

interface Parts {
  readonly body?: Readonly<Record<string, object | undefined>>
  readonly header?: boolean
  readonly path?: string
  readonly required?: ReadonlyArray<string>
  readonly response?: Readonly<Record<string, object | undefined>>
  readonly security?: ReadonlyArray<object>
}

/** An API with one operation, and parts of it replaced, or removed if they are undefined. */
const api = ({
  body = {},
  header = true,
  path = "/plans",
  required = ["emails"],
  response = {},
  security = []
}: Parts = {}) => ({
  paths: {
    [path]: {
      post: {
        security,
        parameters: [{ name: "month", in: "query", required: false, schema: { type: "string" } }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  emails: { type: "integer", maximum: 100 },
                  spread: { enum: ["none", "published"] },
                  ...body
                },
                required,
                additionalProperties: false
              }
            }
          }
        },
        responses: {
          200: {
            headers: { "X-Request-Id": { required: header, schema: { type: "string" } } },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Plan" } } }
          }
        }
      }
    }
  },
  components: {
    schemas: {
      Plan: {
        type: "object",
        properties: {
          clients: { type: "number" },
          people: { type: "integer" },
          grade: { enum: ["weak", "strong"] },
          ...response
        },
        required: ["clients", "grade"]
      }
    }
  }
})

describe("v1", () => {
  it("keeps everything that programs rely on since 2026-11-26", () => {
    assert.deepStrictEqual(breaksOf(recordedContract(), currentContract()), [])
  })

  it("has a record of what was added since then; npm run fix updates it", () => {
    assert.deepStrictEqual(recordedContract(), currentContract())
  })

  for (const [change, next, broken] of [
    ["a path is removed", api({ path: "/goals" }), "POST /plans is gone"],
    ["a field of a response is removed", api({ response: { clients: undefined } }), "POST /plans 200 .clients is gone"],
    ["a value is removed", api({ response: { grade: { enum: ["weak"] } } }), 'POST /plans 200 .grade loses "strong"'],
    ["a field may be null", api({ response: { clients: { type: ["number", "null"] } } }), "now has any null"],
    [
      "a whole number may be a fraction",
      api({ response: { people: { type: "number" } } }),
      ".people now has any number"
    ],
    ["a header may be missing", api({ header: false }), "loses the header X-Request-Id in every response"],
    ["a key is required", api({ security: [{ apiKey: [] }] }), "POST /plans loses security of none"],
    ["numbers are refused", api({ body: { emails: { type: "integer", maximum: 100, multipleOf: 50 } } }), "multipleOf"],
    ["a value is refused", api({ body: { spread: { enum: ["none"] } } }), 'POST /plans .spread loses "published"'],
    ["a bound is lowered", api({ body: { emails: { type: "integer", maximum: 99 } } }), ".emails now has maximum"],
    ["an input is removed", api({ body: { spread: undefined } }), "POST /plans .spread is gone"],
    ["an input becomes required", api({ required: ["emails", "spread"] }), "now has spread is required"],
    [
      "a new input is required",
      api({ body: { rate: { type: "number" } }, required: ["emails", "rate"] }),
      "now has rate is required"
    ]
  ] as const)
    it(`breaks if ${change}`, () => {
      assert.include(breaksOf(api(), next).join("\n"), broken)
    })

  it("does not break if paths, fields, values and optional inputs are added, and a bound is raised", () => {
    const more = api({
      body: {
        emails: { type: "number", maximum: 200 },
        spread: { enum: ["none", "published", "own"] },
        rate: { type: "number", minimum: 0, maximum: 100 }
      },
      response: {
        clients: { type: "integer" },
        grade: { enum: ["weak", "strong", "odd"] },
        roi: { type: ["number", "null"] }
      }
    })
    assert.deepStrictEqual(breaksOf(api(), { ...more, paths: { ...more.paths, ...api({ path: "/goals" }).paths } }), [])
  })
})
