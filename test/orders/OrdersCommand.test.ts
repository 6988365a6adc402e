import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { defaultCreditPacks } from "../../src/settings/CreditPack.ts"
import { applicationOn, installedDirectory, temporaryDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"
import { serveWithMails } from "../support/Http.ts"
import { placeOrder } from "../support/Orders.ts"
import { until } from "../support/Process.ts"
import { getFrom, jsonOf, postTo } from "../support/Requests.ts"
import { linkOf, smtpServer, textOf } from "../support/Smtp.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }
const [starter = assert.fail("no pack")] = defaultCreditPacks

describe("orders", () => {
  it.live("lead from the order to the first forecast: confirmed by hand, emailed, and revealed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const smtp = yield* smtpServer
      const server = yield* serveWithMails(`sqlite:${directory}/data/outreach-forecast.db`, smtp.url)
      const placed = yield* postTo(server.url, "/api/v1/orders", { pack: "starter", ...ada })
      const id = String(placed.json["order_id"])
      const list = yield* runHere(directory, ["orders", "list"])
      assert.match(list.stdout, new RegExp(`${id} +awaiting_payment +starter +19 USD +manual +ada@example\\.com`))

      const confirm = ["orders", "fulfil", id, "--reference", "bank 7", "--paid-at", "2026-11-20T10:00:00Z", "--json"]
      const fulfilled = yield* runHere(directory, confirm)
      assert.strictEqual(fulfilled.code, 0, fulfilled.stderr)
      assert.include(jsonOf(fulfilled.stdout), {
        id,
        state: "fulfilled",
        reference: "bank 7",
        paid_at: "2026-11-20T10:00:00.000Z",
        due_at: "2026-11-23T10:00:00.000Z"
      })
      const again = yield* runHere(directory, confirm)
      assert.deepStrictEqual([again.code, again.stdout], [0, fulfilled.stdout])
      const show = yield* runHere(directory, ["orders", "show", id])
      assert.match(show.stdout, /state +fulfilled\n/)

      // The running service sends what the command has queued: an email whose link reveals the new key, after the one that
      // confirmed the order.
      yield* until(() => smtp.messages.length > 1)
      assert.lengthOf(smtp.messages, 2)
      const mail = smtp.messages.find((message) => linkOf(message).includes("/confirm/")) ?? assert.fail("no link")
      assert.include(textOf(mail), "added the credits to your new API key.")
      const token = linkOf(mail).split("/").at(-1) ?? ""
      const revealed = yield* postTo(server.url, "/api/v1/access-requests/confirm", { token })
      assert.strictEqual(revealed.json["credits_remaining"], 600)
      const usage = yield* getFrom(server.url, "/api/v1/usage", { "x-api-key": String(revealed.json["api_key"]) })
      assert.include(usage.json, { state: "usable", credits_remaining: 600 })
    })
  )

  it.live("reports what is wrong and exits with status 1, and cancels unpaid orders", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const place = placeOrder(starter, ada).pipe(
        Effect.map(({ id }) => id),
        Effect.provide(applicationOn(`sqlite:${directory}/data/outreach-forecast.db`))
      )
      const [paid, unpaid] = [yield* place, yield* place]
      yield* runHere(directory, ["orders", "fulfil", paid, "--reference", "bank 7"])
      for (const [args, message] of [
        [["fulfil", paid, "--reference", "bank 8"], `${paid} is fulfilled already, for the payment bank 7`],
        [["cancel", paid], "is fulfilled already, for the payment bank 7"],
        [
          ["fulfil", unpaid, "--reference", "bank 7"],
          `The payment bank 7 was already used for ${paid}; nothing was changed. If it is for both orders, add --again.`
        ],
        [["fulfil", unpaid, "--reference", " "], "--reference"],
        [["fulfil", unpaid, "--reference", "x", "--paid-at", "2999-01-01"], "that is not in the future"],
        [["fulfil", unpaid, "--reference", "x", "--paid-at", "yesterday"], "a time such as 2026-11-21T10:00:00Z"],
        [["fulfil", unpaid, "--reference", "x", "--paid-at", "2026-02-30"], "a time such as 2026-11-21T10:00:00Z"],
        [["show", "ord_none"], "No order has this ID"]
      ] as const) {
        const { code, stderr } = yield* runHere(directory, ["orders", ...args])
        assert.strictEqual(code, 1, message)
        assert.include(stderr, message)
      }
      const both = yield* place
      const again = yield* runHere(directory, ["orders", "fulfil", both, "--reference", "bank 7", "--again", "--json"])
      assert.include(jsonOf(again.stdout), { id: both, state: "fulfilled", reference: "bank 7" })
      const cancelled = yield* runHere(directory, ["orders", "cancel", unpaid, "--json"])
      assert.include(jsonOf(cancelled.stdout), { state: "cancelled" })
      const list = yield* runHere(directory, ["orders", "list", "--state", "cancelled"])
      assert.include(list.stdout, unpaid)
      assert.notInclude(list.stdout, paid)
      const overdue = yield* runHere(directory, ["orders", "list", "--overdue"])
      assert.strictEqual(overdue.stdout, "none\n")
    })
  )
})
