import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { accessApplication, issueKey, newClient, post, send } from "../../support/Http.ts"

const visit = (path: string, cookie: string, fields?: Readonly<Record<string, string>>) =>
  send(path, {
    headers: { "x-forwarded-for": newClient(), "sec-fetch-site": "same-origin", ...(cookie === "" ? {} : { cookie }) },
    ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams({ ...fields }) })
  })

const session = (key: string) =>
  Effect.map(
    visit("/key", "", { api_key: key }),
    ({ headers }) => headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie")
  )

const secretIn = (page: string) => /id="key">(ofk_test_\w{38})</.exec(page)?.[1] ?? assert.fail(page)

const created = (cookie: string, fields: Readonly<Record<string, string>>) =>
  Effect.map(visit("/key/sub-keys", cookie, fields), ({ status, text }) => {
    assert.strictEqual(status, 200, text)
    return secretIn(text)
  })

describe("the sub-keys at /key", () => {
  layer(accessApplication())((it) => {
    it.effect("are created with a limit whose use the page of the key shows; at the limit a forecast is refused", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(100)
        const cookie = yield* session(secret)
        const crm = yield* created(cookie, { name: " CRM ", monthly_limit: "2" })
        // There is nothing to show by month yet.
        assert.notInclude((yield* visit("/key", cookie)).text, "By month")
        const statuses = []
        for (let i = 0; i < 3; i++) statuses.push((yield* post("/api/v1/forecast", { key: crm })).status)
        assert.deepStrictEqual(statuses, [200, 200, 429])
        yield* post("/api/v1/forecast", { key: secret })
        const { text } = yield* visit("/key", cookie)
        assert.include(text, "2 of 2")
        assert.include(text, "By month")
        assert.include(text, "limit reached")
        assert.include(text, '<p class="amount">97</p>')
        assert.match(text, /aria-label="1 January: 3 forecasts; CRM 2; The key itself 1"/)
        assert.notInclude(text, crm)
        const [subKey] = yield* (yield* SubKeys).usableOf(id)
        assert.deepInclude(subKey, { name: "CRM", monthlyLimit: 2 })
      })
    )

    it.effect("can be renamed, given another limit or none, given a new secret, and revoked", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(100)
        const subKeys = yield* SubKeys
        const cookie = yield* session(secret)
        const first = yield* created(cookie, { name: "CRM", monthly_limit: "1" })
        const only = Effect.map(subKeys.usableOf(id), ([found]) => found ?? assert.fail("none"))
        const path = `/key/sub-keys/${(yield* only).id}`
        assert.include(
          (yield* visit(path, cookie)).text,
          'name="monthly_limit" inputmode="numeric" maxlength="12" value="1"'
        )
        const changed = yield* visit(path, cookie, { name: "Client A", monthly_limit: "1,000" })
        assert.deepStrictEqual([changed.status, changed.headers.get("location")], [303, "/key#sub-keys"])
        assert.deepInclude(yield* only, { name: "Client A", monthlyLimit: 1000 })
        yield* visit(path, cookie, { name: "Client A", monthly_limit: "" })
        assert.deepInclude(yield* only, { name: "Client A", monthlyLimit: null })
        const form = { grace_hours: "0", key_prefix: first.slice(0, 17) }
        const next = secretIn((yield* visit(`${path}/rotate`, cookie, form)).text)
        // The same form once more does not replace the new secret.
        const again = yield* visit(`${path}/rotate`, cookie, form)
        assert.strictEqual(again.status, 409)
        assert.include(again.text, `It now starts with ${next.slice(0, 17)}, and it was not replaced again.`)
        assert.include(again.text, `<a href="${path}#new-secret">Replace it again</a>`)
        assert.include((yield* visit(path, cookie)).text, `name="key_prefix" value="${next.slice(0, 17)}"`)
        const status = (key: string) => Effect.map(post("/api/v1/forecast", { key }), (response) => response.status)
        assert.deepStrictEqual([yield* status(first), yield* status(next)], [401, 200])
        assert.strictEqual((yield* visit(`${path}/revoke`, cookie, {})).status, 303)
        assert.deepStrictEqual([yield* status(next), yield* status(secret)], [401, 200])
        for (const gone of [yield* visit(path, cookie), yield* visit(path, cookie, { name: "x" })]) {
          assert.strictEqual(gone.status, 404)
        }
        assert.notInclude((yield* visit("/key", cookie)).text, path)
      })
    )

    it.effect("answers 400, 404 or 409 with what is wrong, keeps what was typed, and changes nothing", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(100)
        const subKeys = yield* SubKeys
        const cookie = yield* session(secret)
        yield* created(cookie, { name: "CRM" })
        const before = yield* subKeys.usableOf(id)
        const path = `/key/sub-keys/${before[0]?.id}`
        for (const [fields, status, message] of [
          [{ name: "", monthly_limit: "5" }, 400, " must not be empty"],
          [{ name: "x".repeat(51) }, 400, " must have at most 50 characters"],
          [{ name: "Other", monthly_limit: "0" }, 400, "Credits per month must be"],
          ...["-3", "1.000", "many"].map(
            (monthly_limit) =>
              [
                { name: "Other", monthly_limit },
                400,
                "Credits per month must be a whole number such as 1,000."
              ] as const
          )
        ] as const) {
          for (const at of ["/key/sub-keys", path]) {
            const refused = yield* visit(at, cookie, fields)
            assert.strictEqual(refused.status, status, `${at} ${JSON.stringify(fields)}`)
            assert.include(refused.text, message)
            assert.include(refused.text, at === path ? `value="${fields.name}"` : `>\n${fields.name}</textarea>`)
          }
        }
        // The form that created it once more, as when its page is reloaded, is the first of these.
        for (const name of ["CRM", "crm"]) {
          const taken = yield* visit("/key/sub-keys", cookie, { name })
          assert.strictEqual(taken.status, 409)
          assert.include(taken.text, "Choose another name")
        }
        assert.strictEqual((yield* visit(`${path}/rotate`, cookie, { grace_hours: "73" })).status, 400)
        const stranger = yield* session((yield* issueKey(100)).secret)
        for (const at of [path, `${path}/rotate`, `${path}/revoke`]) {
          assert.strictEqual((yield* visit(at, stranger, { name: "Mine", grace_hours: "0" })).status, 404, at)
        }
        assert.deepStrictEqual(yield* subKeys.usableOf(id), before)
        for (let i = 2; i <= 25; i++) yield* subKeys.create(id, { name: `client ${i}`, monthlyLimit: null })
        const many = yield* visit("/key/sub-keys", cookie, { name: "One more" })
        assert.strictEqual(many.status, 409)
        assert.include(many.text, "This key has 25 usable sub-keys, which is the most it may have.")
        assert.notInclude((yield* visit("/key", cookie)).text, "Add sub-keys")
      })
    )

    it.effect("are created together, all or none, and their secrets shown once as a CSV file, too", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(100)
        const subKeys = yield* SubKeys
        const cookie = yield* session(secret)
        const names = ["=1+1", ...Array.from({ length: 11 }, (_, index) => `Client ${index + 2}`)]
        const name = `${names.join("\r\n")}\r\n\r\n`
        const { status, text } = yield* visit("/key/sub-keys", cookie, { name, monthly_limit: "200" })
        assert.strictEqual(status, 200)
        const [, encoded = ""] = /download="sub-keys\.csv" href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(text) ?? []
        const [header, ...lines] = decodeURIComponent(encoded).replaceAll("&#39;", "'").trimEnd().split("\r\n")
        assert.strictEqual(header, "name,monthly_limit,api_key")
        assert.deepStrictEqual(
          lines.map((line) => line.split(",").slice(0, 2)),
          names.map((each) => [each === "=1+1" ? "'=1+1" : each, "200"])
        )
        const [first = "", second = ""] = lines.map((line) => line.split(",")[2] ?? "")
        assert.include(text, `<code class="secret">${first}</code>`)
        assert.strictEqual((yield* post("/api/v1/forecast", { key: second })).status, 200)
        // In the order of the form, although the clock stood still.
        assert.deepStrictEqual(
          (yield* subKeys.usableOf(id)).map((each) => each.name),
          names
        )

        const usage = yield* visit("/key/sub-keys.csv", cookie)
        assert.match(usage.headers.get("content-disposition") ?? "", /^attachment; filename="sub-keys-ofk_test_/)
        const rows = usage.text.trimEnd().split("\r\n")
        assert.strictEqual(rows[0], "name,key_prefix,month,requests,monthly_limit,last_used_at")
        assert.match(rows[2] ?? "", /^Client 2,ofk_test_\w+,1970-01,1,200,1970-01-01T/)
        assert.notInclude(usage.text, second)

        // One of these names is taken, one is too long, and there is no room for all of them.
        for (const [refusedNames, expected] of [
          ["Client 20\nclient 2", 409],
          [`Client 20\n${"x".repeat(51)}`, 400],
          [Array.from({ length: 14 }, (_, index) => `Other ${index}`).join("\n"), 409],
          [Array.from({ length: 26 }, (_, index) => `Other ${index}`).join("\n"), 409]
        ] as const) {
          const refused = yield* visit("/key/sub-keys", cookie, { name: refusedNames })
          assert.strictEqual(refused.status, expected, refusedNames)
          assert.include(refused.text, `>\n${refusedNames}</textarea>`)
        }
        const long = yield* visit("/key/sub-keys", cookie, { name: `Client 20\n${"x".repeat(51)}` })
        assert.include(long.text, "Names must have at most 50 characters (name 2).")
        assert.strictEqual((yield* subKeys.usableOf(id)).length, 12)
      })
    )

    it.effect("answers 403 for the demo key", () =>
      Effect.gen(function* () {
        yield* (yield* ApiKeys).prepareDemoKey
        const cookie = yield* session("demo")
        assert.strictEqual((yield* visit("/key/sub-keys", cookie)).status, 403)
        assert.strictEqual((yield* visit("/key/sub-keys", cookie, { name: "x" })).status, 403)
        assert.notInclude((yield* visit("/key", cookie)).text, "Add sub-keys")
      })
    )
  })
})
