import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Ledger } from "../../../src/credits/Ledger.ts"
import { Orders } from "../../../src/orders/Orders.ts"
import { accessApplication, issueKey, post, send } from "../../support/Http.ts"

const session = (key: string) =>
  Effect.map(
    send("/key", {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ api_key: key })
    }),
    ({ headers }) => headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie")
  )

const visit = (path: string, cookie: string) => send(path, { headers: { cookie } })

const orderWith = (key: string, pack: string) =>
  Effect.map(post("/api/v1/orders", { key, body: JSON.stringify({ pack }) }), ({ json }) => String(json["order_id"]))

const env = { PAYMENT_INSTRUCTIONS: "To account 1" }

describe("the orders at /key", () => {
  layer(accessApplication({ env }))((it) => {
    it.effect("are those of the key, each with a link to its page that contains no secret", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const [ada, eve] = [yield* issueKey(100), yield* issueKey(100)]
        const cookie = yield* session(ada.secret)
        assert.notInclude((yield* visit("/key", cookie)).text, "Your orders")
        const waiting = yield* orderWith(ada.secret, "growth")
        const paid = yield* orderWith(ada.secret, "starter")
        const another = yield* orderWith(eve.secret, "scale")
        yield* orders.fulfil(paid, { reference: "bank 7", paidAt: 0 })

        const { text } = yield* visit("/key", cookie)
        assert.include(text, `Waiting for payment: <a href="/key/orders/${waiting}">what to do</a>`)
        assert.include(text, ">2,500 for 79 USD</td>")
        assert.include(text, "Paid, credits added")
        assert.notInclude(text, another)
        // Placed without the key, which got its credits.
        const body = JSON.stringify({ pack: "starter", ...ada.key.owner })
        const credited = String((yield* post("/api/v1/orders", { body })).json["order_id"])
        yield* orders.fulfil(credited, { reference: "bank 8", paidAt: 0 })
        assert.strictEqual((yield* visit(`/key/orders/${credited}`, cookie)).status, 200)
        // The ledger links to the order that brought its credits.
        assert.include(text, `order <a href="/key/orders/${paid}">${paid}</a>`)

        const page = yield* visit(`/key/orders/${waiting}`, cookie)
        assert.strictEqual(page.status, 200)
        assert.include(page.text, `Pay 79 USD with ${waiting} as the reference.\nTo account 1\nOnce the payment`)
        assert.include(page.text, "Back to your key")
        assert.notMatch(page.text, /\/orders\/ord_\w+\//)
        for (const path of [`/key/orders/${another}`, "/key/orders/ord_none"]) {
          assert.strictEqual((yield* visit(path, cookie)).status, 404)
        }
        const stranger = yield* send(`/key/orders/${waiting}`)
        assert.include(stranger.text, 'name="api_key"')
        assert.notInclude(stranger.text, "79 USD")
      })
    )

    it.effect("are at most the last ten", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { secret } = yield* issueKey(100)
        for (let i = 0; i < 11; i++) {
          yield* orders.fulfil(yield* orderWith(secret, "starter"), { reference: `list ${i}`, paidAt: 0 })
        }
        const { text } = yield* visit("/key", yield* session(secret))
        assert.lengthOf([...text.matchAll(/data-title="State"/g)], 10)
        assert.include(text, "The last 10 are shown.")
      })
    )
  })
})

describe("the ledger at /key", () => {
  layer(accessApplication())((it) => {
    it.effect("describes each change in words; the CSV has both the words and the values for programs", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const { id, secret } = yield* issueKey(100)
        const add = (kind: "preview_grant" | "adjustment", reference: string) =>
          ledger.append({ keyId: id, kind, delta: 1, reference, createdAt: 0 })
        yield* add("preview_grant", "preview:0f5a7c9b")
        yield* add("adjustment", "adjustment:sorry <b>")
        yield* add("adjustment", "refund:ord_1")
        const cookie = yield* session(secret)
        const { text } = yield* visit("/key", cookie)
        assert.notInclude(text, "preview:")
        for (const change of [
          "Free credits",
          "Adjustment <code>sorry &lt;b&gt;</code>",
          'Adjustment refund <a href="/key/orders/ord_1">ord_1</a>'
        ]) {
          assert.include(text, `<span>${change}</span><span class="number">+1</span>`)
        }
        const csv = yield* visit("/key/ledger.csv", cookie)
        assert.include(csv.text, "preview_grant,1,101,preview:0f5a7c9b,Free credits,\r\n")
      })
    )
  })
})
