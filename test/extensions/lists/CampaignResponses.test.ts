import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { body, campaigns, path } from "../../support/CampaignRequests.ts"
import { free, httpApplication, issueKey, post } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

const request = (key: string, idempotencyKey: string, text: string, headers: Record<string, string> = {}) =>
  post(path, { key, body: text, headers: { "idempotency-key": idempotencyKey, ...headers } })

const csvBody = `name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate,average_deal_value,campaign_cost
Campaign 0,5000,5.0,30,20,25,2500,600
Campaign 1,5001,5,30,20,25,2500,600
`

describe(`Idempotency-Key of ${path}`, () => {
  layer(httpApplication())((it) => {
    it.effect("answers 422 for other campaigns, another order or another format, at no cost", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(10)
        const [a, b] = campaigns(2)
        const csv = yield* request(secret, "sheet", body([a, b]), { accept: "text/csv" })
        assert.strictEqual(csv.headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual((yield* request(secret, "sheet", body([a, b]), { accept: "text/csv" })).text, csv.text)
        for (const [text, accept] of [
          [body([b, a]), "text/csv"],
          [body([a]), "text/csv"],
          [body([a, { ...b, name: "Other" }]), "text/csv"],
          [body([a, b]), "application/json"]
        ] as const) {
          const other = yield* free(id, request(secret, "sheet", text, { accept }))
          assert.strictEqual(other.problem.code, "idempotency_mismatch")
        }
        assert.strictEqual((yield* request(secret, "wrong key", body([a]))).status, 400)
      })
    )
  })
})

describe("responses for many campaigns", () => {
  layer(httpApplication())((it) => {
    it.effect("forecast each campaign as if it were alone, in the order of the request", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(1000)
        const requested = [
          { ...sample, name: "exact", spread: "none" },
          ...campaigns(5),
          { emails_sent: 1, reply_rate: 0, positive_reply_rate: 0, meeting_booking_rate: 0, close_rate: 0 }
        ]
        const { json } = yield* post(path, { key: secret, body: body(requested) })
        const forecasts = Array.isArray(json["forecasts"]) ? json["forecasts"] : []
        assert.lengthOf(forecasts, requested.length)
        for (const [index, campaign] of requested.entries()) {
          const named: { readonly name?: unknown } = campaign
          const { name = null, ...assumptions } = named
          const {
            summary: ___,
            test_first: _,
            track_record,
            usage: __,
            ...alone
          } = (yield* post("/api/v1/forecast", {
            key: secret,
            body: JSON.stringify(assumptions)
          })).json
          assert.deepStrictEqual(forecasts[index], { name, ...alone })
          assert.isNull(track_record)
        }
      })
    )

    it.effect("evaluate the history once for each set of rates, with the same result as for one campaign", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(1000)
        const history = [0, 1, 2].map((index) => ({
          emails_sent: 3000,
          replies: 60 + 20 * index,
          positive_replies: 30
        }))
        const others = { ...sample, reply_rate: 2 }
        const requested = [
          sample,
          others,
          { ...sample, emails_sent: 50 },
          { ...sample, reply_rate: 0, positive_reply_rate: 0 }
        ]
        const response = yield* post(path, { key: secret, body: JSON.stringify({ campaigns: requested, history }) })
        assert.strictEqual(response.status, 200)
        const forecasts = Array.isArray(response.json["forecasts"]) ? response.json["forecasts"] : []
        for (const [index, campaign] of requested.entries()) {
          const learns = campaign.reply_rate > 0
          const body = JSON.stringify(learns ? { ...campaign, history } : campaign)
          const {
            calculation_notes: _,
            summary: ____,
            test_first: __,
            track_record,
            usage: ___,
            ...alone
          } = (yield* post("/api/v1/forecast", { key: secret, body })).json
          // There is one track record for all, with a note.
          assert.deepInclude(forecasts[index], { name: null, ...alone })
          if (index === 0) assert.deepStrictEqual(response.json["track_record"], track_record)
        }
        assert.include(response.json["track_record"], { campaigns: 3, clients_of: 0 })
        assert.include(
          String(response.json["calculation_notes"]),
          "Of your 3 past campaigns with replies, each forecast from the others at the first campaign's rates, "
        )
        const { json } = yield* post(path, { key: secret, body: body(requested) })
        assert.isNull(json["track_record"])
      })
    )

    it.effect("begin their notes with the question about past campaigns on which all figures stand", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(1000)
        const firstNote = Effect.fnUntraced(function* (history: ReadonlyArray<object>) {
          const { json } = yield* post(path, { key: secret, body: JSON.stringify({ campaigns: [sample], history }) })
          return String(Array.isArray(json["calculation_notes"]) ? json["calculation_notes"][0] : undefined)
        })
        const dead = [0, 1, 1].map((replies) => ({ emails_sent: 3000, replies }))
        assert.match(yield* firstNote(dead), /^Did the emails of your past campaigns arrive\?/)
        const undecided = [4, 5].map((meetings) => ({ emails_sent: 2000, meetings, clients: 0 }))
        assert.match(yield* firstNote(undecided), /^Are all 9 meetings of your past campaigns decided\?/)
        assert.match(yield* firstNote([{ emails_sent: 2000, replies: 90 }]), /^In /)
      })
    )

    it.effect("are 400 for a history that cannot be learned from, without a charge, and for a history in CSV", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(10)
        const many = Array.from({ length: 21 }, (_, index) => ({ ...sample, reply_rate: index + 1 }))
        for (const [campaigns, history, expected] of [
          [[sample], [{ emails_sent: 5, replies: 6 }], "/history/0/replies"],
          [[sample], [{ emails_sent: 5 }], "/history"],
          [many, [{ emails_sent: 5, replies: 1 }], "/history"]
        ] as const) {
          const wrong = yield* free(id, post(path, { key: secret, body: JSON.stringify({ campaigns, history }) }))
          assert.strictEqual(wrong.status, 400)
          assert.deepStrictEqual(
            wrong.problem.errors?.map(({ pointer }) => pointer),
            [expected]
          )
        }
        const sheet = csvBody.replace("name,", "history,")
        const column = yield* free(
          id,
          post(path, { key: secret, body: sheet, headers: { "content-type": "text/csv" } })
        )
        assert.deepStrictEqual(column.problem.errors, [
          {
            pointer: "/campaigns/0/history",
            code: "unknown_field",
            message:
              "is not a known field; a history is for the whole request: send JSON and put it next to campaigns (line 1, column history)"
          }
        ])
      })
    )

    it.effect("differ with another history, which is a different request for an Idempotency-Key", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(10)
        const requested = (replies: number) =>
          JSON.stringify({ campaigns: [sample], history: [{ emails_sent: 100, replies }] })
        assert.strictEqual((yield* request(secret, "past", requested(5))).status, 200)
        for (const other of [requested(6), body([sample])]) {
          assert.strictEqual((yield* free(id, request(secret, "past", other))).problem.code, "idempotency_mismatch")
        }
      })
    )

    it.effect("are a spreadsheet if Accept asks for it, in which no name is a formula", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(100)
        const named = (name: string, emails_sent: number) => ({ ...sample, name, emails_sent })
        const requested = body([named("=HYPERLINK(1)", 10), named('say "hi", -1', 20), named("-5", 30)])
        const { text } = yield* post(path, { key: secret, body: requested, headers: { accept: "text/csv" } })
        const lines = text.split("\r\n")
        assert.lengthOf(lines, 5)
        assert.match(lines[1] ?? "", /^'=HYPERLINK\(1\),10,5,30,20,25,2500,600,+3,,,0\.5,/)
        assert.match(lines[2] ?? "", /^"say ""hi"", -1",20,[\d,]+,2,0\.\d+,0\.\d+,1,/)
        assert.match(lines[3] ?? "", /^'-5,30,[\d,]+,1,/)
        // A negative profit is a number, and stays one.
        assert.match(lines[1] ?? "", /,-\d/)
        for (const [accept, type] of [
          ["*/*", "application/json"],
          ["text/csv;q=0.5, application/json", "application/json"],
          ["application/json;q=0.1, text/csv", "text/csv; charset=utf-8"],
          ["text/html", "application/json"]
        ] as const) {
          const response = yield* post(path, { key: secret, body: body(campaigns(1)), headers: { accept } })
          assert.strictEqual(response.headers.get("content-type"), type, accept)
        }
      })
    )
  })
})
