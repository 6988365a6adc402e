import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { accessApplication, free, issueKey, newClient, post, send } from "../support/Http.ts"
import { sample } from "../support/Samples.ts"

const history = [{ name: "March", emails_sent: 3000, replies: 60 }]
const so_far = { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 }
const owner = { name: "Ada", email: "ada@example.com", company: "Example" }

/** An endpoint that takes JSON, its body, the status of the response, a member of an object in the body, and a text in it. */
type Row = readonly [path: string, body: object, status: number, member: string, text?: string]

const endpoints: ReadonlyArray<Row> = [
  ["/api/v1/forecast", { ...sample, history }, 200, "/history/0/replies", "/history/0/name"],
  ["/api/v1/service/roi", sample, 200, "/reply_rate"],
  ["/api/v1/goals", { ...sample, goal: { clients: 4 } }, 200, "/goal/clients"],
  ["/api/v1/progress", { ...sample, so_far }, 200, "/so_far/clients"],
  ["/api/v1/forecasts", { campaigns: [{ ...sample, name: "A" }] }, 200, "/campaigns/0/close_rate", "/campaigns/0/name"],
  ["/api/v1/sub-keys", { name: "CRM", monthly_limit: 5 }, 201, "/monthly_limit", "/name"],
  ["/api/v1/keys/rotate", { grace_hours: 24 }, 200, "/grace_hours"],
  ["/api/v1/access-requests", owner, 202, "/company", "/company"],
  ["/api/v1/access-requests/confirm", { token: "x" }, 404, "/token", "/token"],
  ["/api/v1/orders", { ...owner, pack: "starter" }, 201, "/pack", "/name"]
]

/** The text of a body in which the member at a pointer is written another way. */
const rewrite = (body: object, pointer: string, write: (name: string, value: string) => string): string => {
  const name = pointer.split("/").at(-1) ?? ""
  return JSON.stringify(body).replace(new RegExp(`"${name}":("[^"]*"|[^,}]*)(?=[,}])`), (_, value: string) =>
    write(`"${name}"`, value)
  )
}

layer(accessApplication())("JSON bodies", (it) => {
  describe("of every endpoint", () => {
    for (const [path, body, status, member, text] of endpoints) {
      it.effect(`may start with a byte order mark, but not repeat a name or have half a character: ${path}`, () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey()
          const isOpen = /access|orders/.test(path)
          const sendBody = (content: string | Uint8Array<ArrayBuffer>) =>
            send(path, {
              method: "POST",
              headers: {
                "content-type": "application/json",
                "x-forwarded-for": newClient(),
                ...(isOpen ? {} : { "x-api-key": secret })
              },
              body: content
            })
          const refused = Effect.fnUntraced(function* (content: string, pointer: string, code: string) {
            const response = yield* free(id, sendBody(content))
            assert.strictEqual(response.status, 400)
            assert.deepStrictEqual(
              response.problem.errors?.map((error) => [error.pointer, error.code]),
              [[pointer, code]],
              content
            )
          })
          const twice = rewrite(body, member, (name, value) => `${name}:${value},${name}:${value}`)
          yield* refused(twice, member, "duplicate_field")
          if (text !== undefined) {
            const half = rewrite(body, text, (name) => `${name}:"a\\ud800b"`)
            yield* refused(half, text, "invalid_format")
          }
          const latin1 = Buffer.from(
            rewrite(body, member, (name, value) => `"\u00fc":1,${name}:${value}`),
            "latin1"
          )
          assert.strictEqual((yield* free(id, sendBody(new Uint8Array(latin1)))).problem.code, "malformed_json")
          assert.strictEqual((yield* sendBody(`\uFEFF${JSON.stringify(body)}`)).status, status)
        })
      )
    }
  })

  it.effect("with more than 50 errors have the number of the others in the last message, and in the detail", () =>
    Effect.gen(function* () {
      const { id, secret } = yield* issueKey()
      const unknown = Object.fromEntries(Array.from({ length: 3050 }, (_, index) => [`x${index}`, 1]))
      const response = yield* free(
        id,
        post("/api/v1/forecast", { key: secret, body: JSON.stringify({ ...sample, ...unknown }) })
      )
      const { detail, errors = [] } = response.problem
      assert.strictEqual(response.status, 400)
      assert.lengthOf(errors, 50)
      assert.isTrue(errors.at(-1)?.message.endsWith(" (and up to 3,000 more errors)") ?? false)
      assert.lengthOf(
        errors.filter(({ message }) => message.includes("more errors")),
        1
      )
      assert.match(detail, /; and 3,045 more$/)
    })
  )
})
