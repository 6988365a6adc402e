import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../../src/keys/AuditLog.ts"
import { Notices } from "../../../src/extensions/notices/Notices.ts"
import { accessApplication, httpApplication, issueKey, newClient, send, unknownKey } from "../../support/Http.ts"

/** The POST of a mail provider (RFC 8058, section 3.2): no cookie, no key, no referring page. */
const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }

/** A key with the path of a link that switches its notices off. */
const withLink = Effect.gen(function* () {
  const key = yield* issueKey()
  const { isOn, makePath } = yield* Notices
  return { ...key, path: Redacted.value(yield* makePath(key.id)), isOn: isOn(key.id) }
})

describe("/unsubscribe", () => {
  layer(httpApplication())((it) => {
    it.effect("GET shows a button and changes nothing", () =>
      Effect.gen(function* () {
        const { isOn, path, secret } = yield* withLink
        const page = yield* send(path)
        assert.strictEqual(page.status, 200)
        assert.include(page.text, '<form method="post"><button type="submit">Stop these emails</button></form>')
        assert.include(page.text, secret.slice(0, 17))
        assert.notInclude(page.text, path)
        assert.isTrue(yield* isOn)
      })
    )

    it.effect("POST switches emails off with one click, any number of times, and confirms it", () =>
      Effect.gen(function* () {
        const { id, isOn, path } = yield* withLink
        for (let i = 0; i < 3; i++) {
          const response = yield* send(path, oneClick)
          assert.strictEqual(response.status, 200)
          assert.include(response.text, "These emails are off")
          assert.isNull(response.headers.get("set-cookie"))
          assert.isFalse(yield* isOn)
        }
        const page = yield* send(path)
        assert.include(page.text, "These emails are off")
        assert.notInclude(page.text, "<form")
        const entries = yield* (yield* AuditLog).entries(id, 50)
        assert.lengthOf(
          entries.filter(({ action }) => action === "unsubscribed"),
          1
        )
      })
    )

    it.effect("POST works from the page, from another site and with any body", () =>
      Effect.gen(function* () {
        const part = 'Content-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click'
        for (const init of [
          { headers: { "sec-fetch-site": "same-origin" } },
          { headers: { "sec-fetch-site": "cross-site", origin: "https://mail.example" }, ...oneClick },
          { headers: { origin: "null" } },
          { headers: { "content-type": "multipart/form-data; boundary=x" }, body: `--x\r\n${part}\r\n--x--\r\n` },
          { headers: { "content-type": "application/json" }, body: "{" }
        ]) {
          const { isOn, path } = yield* withLink
          assert.strictEqual((yield* send(path, { method: "POST", ...init })).status, 200)
          assert.isFalse(yield* isOn)
        }
      })
    )

    it.effect("belongs to one key, and works whatever happens to that key", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const [ada, eve, bob] = [yield* withLink, yield* withLink, yield* withLink]
        yield* send(ada.path, oneClick)
        assert.deepStrictEqual([yield* ada.isOn, yield* eve.isOn], [false, true])
        yield* apiKeys.rotate(eve.id, 0)
        yield* apiKeys.revoke(bob.id, "owner")
        for (const { path } of [eve, bob]) assert.strictEqual((yield* send(path, oneClick)).status, 200)
        assert.isFalse(yield* eve.isOn)
      })
    )

    it.effect("answers 404 to an unknown link, and refers to the page of the key", () =>
      Effect.gen(function* () {
        const { isOn, path } = yield* withLink
        for (const wrong of [`${path}x`, path.slice(0, -1), `/unsubscribe/${yield* unknownKey}`]) {
          for (const init of [{}, oneClick]) {
            const response = yield* send(wrong, init)
            assert.strictEqual(response.status, 404, wrong)
            assert.include(response.text, '<li><a href="/key">')
          }
        }
        assert.isTrue(yield* isOn)
      })
    )
  })
})

describe("the switch for emails at /key", () => {
  layer(accessApplication({ env: { DEMO_KEY: "demo-of-everybody" } }))((it) => {
    const here = { "sec-fetch-site": "same-origin" }
    const visit = (path: string, cookie: string, fields?: Readonly<Record<string, string>>) =>
      send(path, {
        headers: { "x-forwarded-for": newClient(), cookie, ...here },
        ...(fields && { method: "POST", body: new URLSearchParams({ ...fields }) })
      })
    const signIn = (key: string) =>
      Effect.map(
        visit("/key", "", { api_key: key }),
        ({ headers }) => headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie")
      )

    it.effect("shows its state, switches off and on, and is safe to repeat", () =>
      Effect.gen(function* () {
        const { isOn, path, secret } = yield* withLink
        const cookie = yield* signIn(secret)
        const button = (value: string) => `<button type="submit" class="quiet" name="notices" value="${value}">`
        assert.include((yield* visit("/key", cookie)).text, button("off"))
        for (const wanted of ["off", "off", "on", "on", "off"]) {
          const response = yield* visit("/key/emails", cookie, { notices: wanted })
          assert.deepStrictEqual([response.status, response.headers.get("location")], [303, "/key#emails"])
          assert.strictEqual(yield* isOn, wanted === "on")
          const page = yield* visit("/key", cookie)
          assert.include(page.text, button(wanted === "on" ? "off" : "on"))
        }
        yield* visit("/key/emails", cookie, { notices: "on" })
        yield* send(path, oneClick)
        assert.include((yield* visit("/key", cookie)).text, button("on"))
      })
    )

    it.effect(
      "answers 400 to an invalid form, 401 without a session and 403 to the demo key, and changes nothing",
      () =>
        Effect.gen(function* () {
          const { isOn, secret } = yield* withLink
          const cookie = yield* signIn(secret)
          for (const fields of [{}, { notices: "" }, { notices: "maybe" }]) {
            const refused = yield* visit("/key/emails", cookie, fields)
            assert.strictEqual(refused.status, 400)
            assert.include(refused.text, "The choice must be on or off.")
          }
          assert.strictEqual((yield* visit("/key/emails", "", { notices: "off" })).status, 401)
          assert.isTrue(yield* isOn)
          yield* (yield* ApiKeys).prepareDemoKey
          const demo = yield* signIn("demo-of-everybody")
          assert.notInclude((yield* visit("/key", demo)).text, 'name="notices"')
          const refused = yield* visit("/key/emails", demo, { notices: "off" })
          assert.strictEqual(refused.status, 403)
          assert.include(refused.text, "The demo key is shared by everyone")
        })
    )
  })
})
