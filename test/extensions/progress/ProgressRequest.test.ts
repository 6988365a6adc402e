import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { membersOf } from "../../../src/campaign/Fields.ts"
import { openNames } from "../../../src/campaign/Rates.ts"
import { decodeProgressRequest, ProgressRequest } from "../../../src/extensions/progress/ProgressRequest.ts"
import { decodeJson } from "../../../src/input/parseJson.ts"
import { sample } from "../../support/Samples.ts"

const so_far = { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 }
const flight = { ...sample, so_far }

const canonicalProgress = Schema.encodeSync(Schema.fromJsonString(ProgressRequest))

const read = (body: object) => decodeJson(JSON.stringify(body), decodeProgressRequest)

/** The errors of a request: messages by pointer and code. */
const errorsOf = (body: object) =>
  Result.match(read(body), {
    onFailure: (failure) =>
      failure._tag === "InvalidInput"
        ? failure.errors.map(({ code, message, pointer }) => `${pointer} ${code} ${message}`)
        : [failure.reason],
    onSuccess: () => []
  })

describe("a request for a campaign in flight", () => {
  it("has no open cases by default, and as many emails left as the plan has unsent", () => {
    const { assumptions, emailsLeft, open, soFar } = Result.getOrThrow(read(flight))
    assert.deepStrictEqual(
      open,
      membersOf(openNames, () => 0)
    )
    assert.deepStrictEqual<object>(soFar, so_far)
    assert.strictEqual(emailsLeft, 3000)
    assert.sameMembers(Object.keys(assumptions), Object.keys(sample))
    assert.strictEqual(Result.getOrThrow(read({ ...flight, emails_sent: 1500 })).emailsLeft, 0)
    assert.strictEqual(Result.getOrThrow(read({ ...flight, emails_left: 100_000 })).emailsLeft, 100_000)
  })

  it("has one canonical text however it is spelled, which decodes to the same request", () => {
    const reformatted = {
      so_far,
      emails_left: 3000,
      open: { replies: 0, meetings: null },
      ...sample,
      spread: "published"
    }
    const text = canonicalProgress(Result.getOrThrow(read(flight)))
    assert.strictEqual(canonicalProgress(Result.getOrThrow(read(reformatted))), text)
    assert.strictEqual(canonicalProgress(Result.getOrThrow(decodeJson(text, decodeProgressRequest))), text)
    for (const other of [
      { emails_left: 2999 },
      { open: { replies: 1 } },
      { so_far: { ...so_far, clients: 0 } },
      { close_rate: 26 }
    ]) {
      assert.notStrictEqual(canonicalProgress(Result.getOrThrow(read({ ...flight, ...other }))), text)
    }
  })

  it("requires five whole counts, none greater than the one before it", () => {
    assert.deepStrictEqual(errorsOf(sample), ["/so_far required is required"])
    assert.deepStrictEqual(errorsOf({ ...sample, so_far: {} }), [
      "/so_far/emails_sent required is required",
      "/so_far/replies required is required",
      "/so_far/positive_replies required is required",
      "/so_far/meetings required is required",
      "/so_far/clients required is required"
    ])
    assert.deepStrictEqual(errorsOf({ ...sample, so_far: { ...so_far, replies: 62.5, meetings: -1, clients: "1" } }), [
      "/so_far/replies not_an_integer must be a whole number",
      "/so_far/meetings out_of_range must be from 0 to 100000000",
      "/so_far/clients wrong_type must be a number, not a string"
    ])
    assert.deepStrictEqual(
      errorsOf({ ...sample, so_far: { ...so_far, replies: 2001, meetings: 15, clients: 16 }, reply_rate: 101 }),
      [
        "/reply_rate out_of_range must be at most 100",
        "/so_far/replies out_of_range must be at most emails_sent",
        "/so_far/meetings out_of_range must be at most positive_replies",
        "/so_far/clients out_of_range must be at most meetings"
      ]
    )
  })

  it("has delivered emails and held meetings if and only if the plan has their rates", () => {
    const rates = { delivery_rate: 96, show_rate: 80 }
    assert.deepStrictEqual(errorsOf({ ...flight, ...rates }), [
      "/so_far/delivered required is required if the plan has a delivery_rate",
      "/so_far/meetings_held required is required if the plan has a show_rate"
    ])
    const counts = { ...so_far, delivered: 1900, meetings_held: 2 }
    assert.deepStrictEqual(errorsOf({ ...sample, ...rates, so_far: counts, open: { meetings_held: 1 } }), [])
    assert.deepStrictEqual(errorsOf({ ...sample, so_far: counts, open: { meetings_held: 1 } }), [
      "/delivery_rate required is required for so_far.delivered",
      "/show_rate required is required for so_far.meetings_held and open.meetings_held"
    ])
  })

  it("has at most as many open cases as have not reached the next count", () => {
    const most = { emails: 1938, replies: 48, positive_replies: 10, meetings: 3 }
    assert.deepStrictEqual(errorsOf({ ...flight, open: most }), [])
    const over = Object.fromEntries(Object.entries(most).map(([name, count]) => [name, count + 1]))
    assert.deepStrictEqual(errorsOf({ ...flight, open: over }), [
      "/open/emails out_of_range must be at most 1938: emails_sent less replies",
      "/open/replies out_of_range must be at most 48: replies less positive_replies",
      "/open/positive_replies out_of_range must be at most 10: positive_replies less meetings",
      "/open/meetings out_of_range must be at most 3: meetings less clients"
    ])
    const held = { ...sample, show_rate: 80, delivery_rate: 95 }
    const counts = { ...so_far, delivered: 1900, meetings_held: 3 }
    assert.deepStrictEqual(
      errorsOf({ ...held, so_far: counts, open: { emails: 1839, meetings: 2, meetings_held: 3 } }),
      [
        "/open/emails out_of_range must be at most 1838: delivered less replies",
        "/open/meetings out_of_range must be at most 1: meetings less meetings_held",
        "/open/meetings_held out_of_range must be at most 2: meetings_held less clients"
      ]
    )
    assert.deepStrictEqual(errorsOf({ ...flight, open: { replies: -1, meetings: 0.5 } }), [
      "/open/replies out_of_range must be from 0 to 100000",
      "/open/meetings not_an_integer must be a whole number"
    ])
  })

  it("has at most 100,000 open cases, all together", () => {
    const large = { emails_sent: 400_000, replies: 200_000, positive_replies: 100_000, meetings: 1, clients: 0 }
    const request = { ...sample, emails_left: 100_000, so_far: large }
    const most = { emails: 50_000, replies: 20_000, positive_replies: 30_000 }
    assert.deepStrictEqual(errorsOf({ ...request, open: most }), [])
    assert.deepStrictEqual(errorsOf({ ...request, open: { ...most, replies: 20_001 } }), [
      "/open out_of_range must have counts that add up to at most 100000"
    ])
  })

  it("leaves at most 100,000 emails to send", () => {
    assert.deepStrictEqual(errorsOf({ ...flight, emails_sent: 102_001 }), [
      "/emails_left required must be given, at most 100000: the plan leaves 100001"
    ])
    assert.deepStrictEqual(errorsOf({ ...flight, emails_sent: 102_001, emails_left: 100_000 }), [])
    assert.deepStrictEqual(errorsOf({ ...flight, emails_left: 100_001 }), [
      "/emails_left out_of_range must be from 0 to 100000"
    ])
  })

  it("must not contradict a rate of 0 or 100 with decided cases", () => {
    const rates = { reply_rate: 100, close_rate: 0 }
    assert.deepStrictEqual(errorsOf({ ...flight, ...rates }), [
      "/reply_rate out_of_range cannot be 100%: so far it is 62 of 2000 (replies of decided emails_sent)",
      "/close_rate out_of_range cannot be 0%: so far it is 1 of 4 (clients of decided meetings)"
    ])
    const none = { ...so_far, clients: 0 }
    assert.deepStrictEqual(errorsOf({ ...sample, ...rates, so_far: none, open: { emails: 1938 } }), [])
  })

  it("recognizes synonyms of counts, wherever they are", () => {
    assert.deepStrictEqual(errorsOf({ ...flight, booked: 4, open: { emails_sent: 3 } }), [
      '/booked unknown_field is not a known field; move it into so_far, like {"so_far": {"meetings": …}}',
      '/open/emails_sent unknown_field is not a known field; did you mean "emails"?'
    ])
  })

  it("reports huge numbers as out of range rather than as not whole", () => {
    for (const emails_left of [1e20, 1e300, Infinity]) {
      const decoded = decodeProgressRequest({ ...flight, so_far: { ...so_far, clients: 0 }, emails_left })
      assert.deepStrictEqual(
        Result.match(decoded, {
          onFailure: ({ errors }) => errors.map(({ message, pointer }) => `${pointer} ${message}`),
          onSuccess: () => []
        }),
        ["/emails_left must be from 0 to 100000"]
      )
    }
  })

  it("says where evidence, counts and other words belong", () => {
    const evidence = { reply_rate: { observed: 31, out_of: 800 } }
    assert.deepStrictEqual(errorsOf({ ...flight, evidence, replies: 5 }), [
      '/evidence unknown_field is not a known field; put past campaigns into history, like [{"emails_sent":800,"replies":31}]; send the results of this one to POST /api/v1/progress, like "so_far": {"emails_sent":800,"replies":31}',
      '/replies unknown_field is not a known field; move it into so_far, like {"so_far": {"replies": …}}'
    ])
    const words = { sent: 1, interested: 1, booked: 1, Customers: 1, opens: 1, clicks: 1, close_rate: 25 }
    const unknown = (place: string, advice: string) => `/${place} unknown_field is not a known field; ${advice}`
    const noOpens = "leave it out: opens and clicks are not used"
    assert.deepStrictEqual(errorsOf({ ...sample, so_far: { ...so_far, ...words }, open: { sent: 1, delivered: 5 } }), [
      unknown("so_far/sent", 'did you mean "emails_sent"?'),
      unknown("so_far/interested", 'did you mean "positive_replies"?'),
      unknown("so_far/booked", 'did you mean "meetings"?'),
      unknown("so_far/Customers", 'did you mean "clients"?'),
      unknown("so_far/opens", noOpens),
      unknown("so_far/clicks", noOpens),
      unknown("so_far/close_rate", "move it out of so_far, next to it"),
      unknown("open/sent", 'did you mean "emails"?'),
      unknown("open/delivered", `the fields are ${openNames.join(", ")}`)
    ])
    assert.match(errorsOf({ ...flight, open_rate: 5 })[0] ?? "", /^\/open_rate .*opens bring no client/)
  })

  it("may have a history that something can be learned from", () => {
    assert.deepStrictEqual(errorsOf({ ...flight, history: [{ emails_sent: 900, replies: 20 }] }), [])
    assert.deepStrictEqual(errorsOf({ ...flight, history: [{ emails_sent: 3000, reply_rate: 1.7 }] }), [
      "/history/0/reply_rate unknown_field is not a known field; give the count: 3,000 × 1.7% = 51 replies"
    ])
    assert.match(
      errorsOf({ ...flight, history: [{ emails_sent: 900 }] })[0] ?? "",
      /^\/history required has nothing to learn from/
    )
  })
})
