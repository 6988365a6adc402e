import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../../src/credits/Credits.ts"
import { Ledger } from "../../../src/credits/Ledger.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../../src/keys/AuditLog.ts"
import { Orders } from "../../../src/orders/Orders.ts"
import { accessApplication, baseUrl, issueKey, newClient, post, send, unknownKey } from "../../support/Http.ts"
import { type ServiceResponse } from "../../support/Requests.ts"
import { oneCredit } from "../../support/Samples.ts"
import { until } from "../../support/Process.ts"

/** The headers that a browser sends with a form from a page of the service. */
const here = { "sec-fetch-site": "same-origin" }

/** A request with a session; a form if there are fields. */
const visit = (
  path: string,
  cookie: string,
  fields?: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = here
) =>
  send(path, {
    headers: { "x-forwarded-for": newClient(), ...(cookie === "" ? {} : { cookie }), ...headers },
    ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams({ ...fields }) })
  })

const signIn = (key: string, headers: Readonly<Record<string, string>> = here) =>
  visit("/key", "", { api_key: key }, headers)

/** The cookie of a new session. */
const session = (key: string) =>
  Effect.map(signIn(key), ({ headers, status }) => {
    assert.strictEqual(status, 303)
    return headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie")
  })

const formKeyIn = (page: string) => /name="idempotency_key" value="([\w-]{22})"/.exec(page)?.[1] ?? ""

const secretIn = (page: string) => /id="key">(ofk_test_\w{38})</.exec(page)?.[1] ?? assert.fail("no key")

/** Sends the form that replaces the secret, as the page of the key shows it. */
const replace = Effect.fnUntraced(function* (cookie: string, hours: string) {
  const { text } = yield* visit("/key", cookie)
  const prefix = /name="key_prefix" value="(\w+)"/.exec(text)?.[1] ?? assert.fail("no form")
  return yield* visit("/key/rotate", cookie, { grace_hours: hours, key_prefix: prefix })
})

const isSignedIn = (cookie: string) => Effect.map(visit("/key", cookie), ({ text }) => text.includes("Credits left"))

const works = (key: string) =>
  Effect.map(send("/api/v1/usage", { headers: { "x-api-key": key } }), ({ status }) => status === 200)

describe("a session at /key", () => {
  layer(accessApplication())((it) => {
    it.effect("starts with a key, in a cookie that no script and no other site can use, and shows the key", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(100)
        yield* post("/api/v1/forecast", { key: secret })
        const started = yield* signIn(`  ${secret}\n`)
        assert.deepStrictEqual([started.status, started.headers.get("location"), started.text], [303, "/key", ""])
        const cookie = started.headers.get("set-cookie") ?? ""
        assert.match(cookie, /^session=[\w-]{43}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Strict$/)
        const page = yield* visit("/key", cookie.split(";")[0] ?? "")
        assert.strictEqual(page.status, 200)
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.strictEqual(page.headers.get("referrer-policy"), "same-origin")
        for (const part of [
          `<code>${secret.slice(0, 17)}…</code>`,
          '<p class="amount">99</p>',
          "100 added so far",
          'aria-label="Forecasts by month. Jan 1970: 1"',
          "500 credits</label>"
        ]) {
          assert.include(page.text, part)
        }
        assert.notInclude(page.text, secret)
      })
    )

    it.effect("belongs only to the key that opened it; a made-up cookie opens nothing", () =>
      Effect.gen(function* () {
        const [ada, eve] = [yield* issueKey(11), yield* issueKey(22)]
        const [first, second] = [yield* session(ada.secret), yield* session(eve.secret)]
        assert.include((yield* visit("/key", first)).text, '<p class="amount">11</p>')
        assert.include((yield* visit("/key", second)).text, '<p class="amount">22</p>')
        assert.notInclude((yield* visit("/key/ledger.csv", second)).text, ",11,")
        for (const wrong of [
          "session=",
          "session=x",
          `session=${ada.secret}`,
          `${first}x`,
          `session=${"A".repeat(43)}`
        ]) {
          const page = yield* visit("/key", wrong)
          assert.notInclude(page.text, "Credits left")
          assert.include(page.text, 'name="api_key"')
        }
      })
    )

    it.effect("ends after 30 minutes, whatever was done in it, and by signing out", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const cookie = yield* session(secret)
        yield* TestClock.adjust("29 minutes")
        assert.isTrue(yield* isSignedIn(cookie))
        yield* TestClock.adjust("1 minute")
        const ended = yield* visit("/key", cookie)
        assert.strictEqual(ended.status, 401)
        assert.include(ended.text, "Your session has ended. Sign in again.")
        assert.match(ended.headers.get("set-cookie") ?? "", /^session=; Max-Age=0;/)
        const next = yield* session(secret)
        const out = yield* visit("/key/sign-out", next, {})
        assert.deepStrictEqual([out.status, out.headers.get("location")], [303, "/key"])
        assert.match(out.headers.get("set-cookie") ?? "", /^session=; Max-Age=0;/)
        assert.isFalse(yield* isSignedIn(next))
      })
    )

    it.effect("ends with its key: revoked, deactivated, or replaced and past its grace period", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const [revoked, inactive, replaced, lasting] = [
          yield* issueKey(),
          yield* issueKey(),
          yield* issueKey(),
          yield* issueKey()
        ]
        const cookies = []
        for (const { secret } of [revoked, inactive, replaced, lasting]) cookies.push(yield* session(secret))
        yield* apiKeys.revoke(revoked.id, "owner")
        yield* apiKeys.setKeyPlan(inactive.id, "inactive")
        yield* apiKeys.rotate(replaced.id, 0)
        yield* apiKeys.rotate(lasting.id, 1)
        assert.deepStrictEqual(yield* Effect.forEach(cookies, isSignedIn), [false, false, false, true])
        const refused = yield* visit("/key/revoke", cookies[0] ?? "", {})
        assert.strictEqual(refused.status, 401)
      })
    )

    it.effect("answers 403 to every form sent by another site, and does nothing", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const cookie = yield* session(secret)
        const origin = yield* baseUrl
        for (const headers of [
          { "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site", origin },
          { "sec-fetch-site": "none" },
          { origin: "https://evil.example" },
          { origin: "null" },
          { origin: origin.replace("http:", "data:") },
          {}
        ]) {
          for (const path of [
            "/key",
            "/key/revoke",
            "/key/rotate",
            "/key/delete",
            "/key/orders",
            "/key/emails",
            "/key/sign-out"
          ]) {
            const fields = { api_key: secret, grace_hours: "0", pack: "starter" }
            const response = yield* visit(path, cookie, fields, headers)
            assert.strictEqual(response.status, 403, `${path} ${JSON.stringify(headers)}`)
            assert.isNull(response.headers.get("set-cookie"))
          }
        }
        assert.isTrue(yield* works(secret))
        assert.isTrue(yield* isSignedIn(cookie))
        // Over plain HTTP a browser sends only the origin.
        assert.strictEqual((yield* signIn(secret, { origin })).status, 303)
      })
    )
  })
})

describe("the form that takes a key", () => {
  layer(accessApplication())((it) => {
    it.effect("says what is wrong with the key, and never shows what was typed", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const [revoked, inactive] = [yield* issueKey(), yield* issueKey()]
        yield* apiKeys.revoke(revoked.id, "owner")
        yield* apiKeys.setKeyPlan(inactive.id, "inactive")
        for (const [key, status, message] of [
          ["", 401, "The API key must not be empty."],
          [`${revoked.secret}x`, 401, "The API key is not one of ours; check that you pasted the whole key."],
          ["<script>alert(1)</script>", 401, "The API key is not one of ours"],
          [revoked.secret, 401, "The API key has been revoked and no longer works."],
          [inactive.secret, 403, "The API key has an inactive plan; ask the operator to activate it."]
        ] as const) {
          const response = yield* signIn(key)
          assert.strictEqual(response.status, status, message)
          assert.include(response.text, "<title>Error: Your key")
          assert.include(response.text, `<a href="#api_key">${message.slice(0, 20)}`)
          assert.include(response.text, message)
          if (key !== "") assert.notInclude(response.text, key)
          assert.isNull(response.headers.get("set-cookie"))
        }
      })
    )

    it.effect(
      "answers 429 without a look-up to a client with too many wrong keys and a full queue; valid keys of others work",
      () =>
        Effect.gen(function* () {
          const { secret } = yield* issueKey()
          const guesser = { ...here, "x-forwarded-for": "203.0.113.9" }
          const guess = Effect.flatMap(unknownKey, (key) => signIn(key, guesser))
          for (let i = 0; i < 100; i++) assert.strictEqual((yield* guess).status, 401)
          const responses: Array<ServiceResponse> = []
          const noted = Effect.tap(guess, (response) => Effect.sync(() => responses.push(response)))
          yield* Effect.forkScoped(Effect.replicateEffect(noted, 101, { concurrency: "unbounded" }))
          yield* until(() => responses.length > 0)
          for (const limited of [...responses, yield* signIn(secret, guesser)]) {
            assert.strictEqual(limited.status, 429)
            assert.isAtLeast(Number(limited.headers.get("retry-after")), 1)
            assert.include(limited.text, "Too many unknown keys came from your network.")
          }
          // The same limit as that of the API.
          const api = yield* send("/api/v1/usage", {
            headers: { "x-api-key": secret, "x-forwarded-for": "203.0.113.9" }
          })
          assert.strictEqual(api.status, 429)
          assert.strictEqual((yield* signIn(secret)).status, 303)
        })
    )
  })

  layer(accessApplication({ env: { PUBLIC_URL: "https://forecast.example" } }))("behind https", (it) => {
    it.effect("sets a cookie that only https and only this host can set and send", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { headers } = yield* signIn(secret, { origin: "https://forecast.example" })
        const cookie = headers.get("set-cookie") ?? ""
        assert.match(cookie, /^__Host-session=[\w-]{43}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
        assert.isTrue(yield* isSignedIn(cookie.split(";")[0] ?? ""))
      })
    )
  })
})

describe("what the owner of a key does in a session", () => {
  layer(accessApplication())((it) => {
    it.effect(
      "reads the ledger by day and sub-key with the individual entries of each, and the whole ledger as CSV",
      () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey(100)
          const { create } = yield* SubKeys
          const { append } = yield* Ledger
          const crm = yield* create(id, { name: "CRM & co", monthlyLimit: null })
          for (let i = 0; i < 3; i++) yield* post("/api/v1/forecast", { key: Redacted.value(crm.secret) })
          for (let i = 0; i < 21; i++) yield* post("/api/v1/forecast", { key: secret })
          const bought = { keyId: id, kind: "credit_pack", delta: 500, reference: "order:ord_1", createdAt: 0 } as const
          yield* append(bought)
          yield* append({ ...bought, kind: "adjustment", delta: -500, reference: "refund:ord_1" })
          const gift = { keyId: id, kind: "adjustment", delta: 5, reference: "adjustment:sorry" } as const
          yield* append({ ...gift, createdAt: 86_400_000 })
          const cookie = yield* session(secret)
          const page = yield* visit("/key", cookie)
          const ledger = page.text.slice(page.text.indexOf('<h2 id="ledger">'))
          const plain = ledger.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")
          assert.include(plain, "2 January 1970 +5 · balance 81 Adjustment sorry +5 ")
          assert.include(
            plain,
            "1 January 1970 +76 · balance 76 Adjustment refund ord_1 −500 Credit pack order ord_1 +500"
          )
          assert.include(plain, "The key itself 21 forecasts −21 ")
          assert.include(plain, "CRM &amp; co 3 forecasts −3 ")
          assert.include(ledger, '<a href="/key/orders/ord_1">ord_1</a>')
          assert.deepStrictEqual(
            [...ledger.matchAll(/<details class="fold">.*?<\/details>/gs)].map(
              ([line]) => line.split("<tr><td>").length - 1
            ),
            [21, 3]
          )
          assert.notInclude(ledger, "Older days")
          const older = yield* visit("/key?before=1970-01-02", cookie)
          assert.include(older.text, '<a href="/key#ledger">Newest days</a>')
          assert.notInclude(older.text, "2 January 1970")
          // An invalid day shows the newest ones.
          for (const odd of ["x", "76", "1970-13-01", "1970-01-32", "%27--", "1970-01-02x"]) {
            assert.include((yield* visit(`/key?before=${odd}`, cookie)).text, "2 January 1970")
          }
          const { headers, text } = yield* visit("/key/ledger.csv", cookie)
          assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
          assert.strictEqual(
            headers.get("content-disposition"),
            `attachment; filename="credits-${secret.slice(0, 17)}.csv"`
          )
          const lines = text.split("\r\n")
          assert.lengthOf(lines, 30)
          assert.strictEqual(lines[0], "created_at,kind,delta,balance_after,reference,what,sub_key")
          assert.match(lines[1] ?? "", /^1970-01-02T00:00:00\.000Z,adjustment,5,81,adjustment:sorry,Adjustment,$/)
        })
    )

    it.effect("shows the newest 100 entries of a row, and says where the others are", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(200)
        const { charge } = yield* Credits
        yield* Effect.replicateEffect(charge(id, oneCredit()), 101, { concurrency: "unbounded" })
        const { text } = yield* visit("/key", yield* session(secret))
        assert.include(text, '<span class="soft">101 forecasts</span> −101')
        assert.lengthOf(text.match(/<tr><td>\d\d:\d\d:\d\d/g) ?? [], 100)
        assert.include(text, 'The newest 100 are shown; all of them are in <a href="/key/ledger.csv" download>')
      })
    )

    it.effect("escapes in the CSV what a spreadsheet would interpret as a formula", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(100)
        const ledger = yield* Ledger
        const reference = '=HYPERLINK("https://evil.example")'
        yield* ledger.append({ keyId: id, kind: "adjustment", delta: 5, reference, createdAt: 0 })
        const { text } = yield* visit("/key/ledger.csv", yield* session(secret))
        assert.include(text, `5,105,"'=HYPERLINK(""https://evil.example"")",Adjustment,\r\n`)
        assert.notMatch(text, /(?:^|,)"?[=+@]/m)
      })
    )

    it.effect("replaces the key, shows the new one once, and stays signed in", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const cookie = yield* session(secret)
        const other = yield* session(secret)
        const replaced = yield* replace(cookie, "0")
        assert.strictEqual(replaced.status, 200)
        assert.include(replaced.text, "The old key no longer works.")
        const next = secretIn(replaced.text)
        assert.deepStrictEqual([yield* works(secret), yield* works(next)], [false, true])
        const page = yield* visit("/key", cookie)
        assert.include(page.text, `<code>${next.slice(0, 17)}…</code>`)
        assert.notInclude(page.text, next)
        // Another session of the old key has ended with it.
        assert.isFalse(yield* isSignedIn(other))
        assert.include((yield* replace(cookie, " 24 ")).text, "The old key works until 2 January 1970")
      })
    )

    it.effect("answers 409 to a form that would replace the new key, says what to do, and replaces nothing", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const cookie = yield* session(secret)
        const form = { grace_hours: "0", key_prefix: secret.slice(0, 17) }
        const send = visit("/key/rotate", cookie, form)
        const responses = yield* Effect.all([send, send], { concurrency: "unbounded" })
        const [shown, ...others] = responses.filter(({ status }) => status === 200)
        assert.deepStrictEqual([others.length, yield* isSignedIn(cookie)], [0, true])
        const next = secretIn(shown?.text ?? "")
        for (const again of [yield* send, yield* visit("/key/rotate", cookie, { grace_hours: "0" })]) {
          assert.strictEqual(again.status, 409)
          assert.include(again.text, `It now starts with ${next.slice(0, 17)}, and it was not replaced again.`)
          assert.include(again.text, '<a href="/key#replace">Replace it again</a>')
          assert.notInclude(again.text, next)
        }
        assert.isTrue(yield* works(next))
        assert.strictEqual((yield* replace(cookie, "0")).status, 200)
      })
    )

    it.effect("answers 400 for an invalid grace period and 429 for too many replacements, and keeps the key", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const cookie = yield* session(secret)
        for (const grace of ["", "73", "-1", "1.5", "1e1", "<b>", "٣"]) {
          const response = yield* visit("/key/rotate", cookie, { grace_hours: grace })
          assert.strictEqual(response.status, 400, grace)
          assert.include(
            response.text,
            '<a href="#grace_hours">The time must be a whole number of hours from 0 to 72.</a>'
          )
          assert.notInclude(response.text, "<b>")
        }
        assert.isTrue(yield* works(secret))
        const statuses = []
        for (let i = 0; i < 11; i++) statuses.push((yield* replace(cookie, "72")).status)
        assert.deepStrictEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429])
      })
    )

    it.effect(
      "places an order for the key, only one if the form is sent twice, and shows why an order is refused",
      () =>
        Effect.gen(function* () {
          const orders = yield* Orders
          const { id, secret } = yield* issueKey()
          const cookie = yield* session(secret)
          const formKey = formKeyIn((yield* visit("/key", cookie)).text)
          const order = (fields: Readonly<Record<string, string>>) => visit("/key/orders", cookie, fields)
          const placed = yield* order({ pack: "growth", idempotency_key: formKey })
          assert.strictEqual(placed.status, 303)
          const path = placed.headers.get("location") ?? ""
          assert.match(path, /^\/orders\/ord_\w{16}\/[\w-]{43}$/)
          assert.include((yield* send(path)).text, "2,500 forecast credits.</p>")
          yield* order({ pack: "growth", idempotency_key: formKey })
          const mine = Effect.map(orders.list(undefined, 100), (all) => all.filter(({ keyId }) => keyId === id))
          assert.deepStrictEqual(
            (yield* mine).map((order) => order.id),
            [path.split("/")[2]]
          )
          const wrong = yield* order({ pack: "huge" })
          assert.strictEqual(wrong.status, 400)
          assert.include(wrong.text, '<a href="#pack">The pack must be one of starter, growth, scale.</a>')
          for (let i = 0; i < 4; i++) yield* order({ pack: "starter" })
          const many = yield* order({ pack: "starter" })
          assert.strictEqual(many.status, 409)
          assert.include(many.text, "This key has 5 orders awaiting payment")
          assert.lengthOf(yield* mine, 5)
        })
    )

    it.effect("revokes the key after a confirmation, and is signed out", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(7)
        const cookie = yield* session(secret)
        const question = yield* visit("/key/revoke", cookie)
        assert.include(question.text, "The 7 credits that it has left are lost.")
        assert.isTrue(yield* works(secret))
        const done = yield* visit("/key/revoke", cookie, {})
        assert.include(done.text, "<h1>Key revoked</h1>")
        assert.match(done.headers.get("set-cookie") ?? "", /^session=; Max-Age=0;/)
        assert.isFalse(yield* works(secret))
        assert.isFalse(yield* isSignedIn(cookie))
      })
    )

    it.effect("deletes the owner's data once the company's name is typed, ignoring case, and is signed out", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const { id, secret } = yield* issueKey(7)
        const cookie = yield* session(secret)
        const { company, email } = (yield* apiKeys.find(id)).owner
        assert.notMatch((yield* visit("/key", cookie)).text, /<details[^>]* open/)
        for (const typed of ["", "Somebody else", `${company}x`]) {
          const refused = yield* visit("/key/delete", cookie, { company: typed })
          assert.strictEqual(refused.status, 400, typed)
          assert.include(refused.text, '<a href="#company">The company is not the one that this key was issued to.</a>')
          assert.match(refused.text, /<details[^>]* id="delete" open>/)
        }
        assert.strictEqual((yield* apiKeys.find(id)).owner.email, email)
        assert.isTrue(yield* works(secret))
        const done = yield* visit("/key/delete", cookie, { company: `  ${company.toUpperCase()} ` })
        assert.include(done.text, "<h1>Your data is deleted</h1>")
        assert.match(done.headers.get("set-cookie") ?? "", /^session=; Max-Age=0;/)
        assert.isFalse(yield* works(secret))
        assert.isFalse(yield* isSignedIn(cookie))
        assert.notInclude(JSON.stringify(yield* apiKeys.find(id)), email)
        const { entries } = yield* AuditLog
        assert.deepInclude((yield* entries(id, 50)).at(-1), { actor: "owner", action: "erased" })
      })
    )

    it.effect("answers 403 for replacing, revoking, deleting, buying or emails for the demo key, however often", () =>
      Effect.gen(function* () {
        yield* (yield* ApiKeys).prepareDemoKey
        const cookie = yield* session("demo")
        assert.notInclude((yield* visit("/key", cookie)).text, 'action="/key/rotate"')
        for (const [path, fields] of [
          ["/key/rotate", { grace_hours: "never" }],
          ...Array.from({ length: 11 }, () => ["/key/rotate", { grace_hours: "24" }] as const),
          ["/key/emails", { notices: "off" }],
          ["/key/revoke", {}],
          ["/key/delete", { company: "demo" }],
          ["/key/orders", { pack: "starter" }]
        ] as const) {
          const response = yield* visit(path, cookie, fields)
          assert.strictEqual(response.status, 403, path)
          assert.include(response.text, "The demo key")
        }
        assert.strictEqual((yield* visit("/key/revoke", cookie)).status, 403)
        assert.isTrue(yield* works("demo"))
      })
    )

    it.effect("redirects the address of a form, where its errors were shown, to the page with the form", () =>
      Effect.gen(function* () {
        for (const [path, page] of [
          ["/key/orders", "/key"],
          ["/key/emails", "/key"],
          ["/key/rotate", "/key"],
          ["/key/delete", "/key"],
          ["/key/sign-out", "/key"],
          ["/key/sub-keys/sub_1/rotate", "/key/sub-keys/sub_1"],
          ["/key/sub-keys/sub_1/revoke", "/key/sub-keys/sub_1"]
        ] as const) {
          const { headers, status } = yield* send(path)
          assert.deepStrictEqual([path, status, headers.get("location")], [path, 303, page])
        }
      })
    )

    it.effect("redirects addresses under /account for good, with their query, whatever the method", () =>
      Effect.gen(function* () {
        for (const [method, path, page] of [
          ["GET", "/account", "/key"],
          ["HEAD", "/account", "/key"],
          ["GET", "/account?before=2026-11-02", "/key?before=2026-11-02"],
          ["GET", "/account/orders/ord_1?x=%2Faccount", "/key/orders/ord_1?x=%2Faccount"],
          ["POST", "/account/rotate", "/key/rotate"]
        ] as const) {
          const { headers, status } = yield* send(path, { method })
          assert.deepStrictEqual([path, status, headers.get("location")], [path, 308, page])
        }
        assert.strictEqual((yield* send("/accounts")).status, 404)
      })
    )

    it.effect("answers 413 with a page for a form that is too large", () =>
      Effect.gen(function* () {
        const response = yield* signIn("x".repeat(17_000))
        assert.strictEqual(response.status, 413)
        assert.include(response.text, "The request body is larger than 16 KiB.")
      })
    )
  })
})
