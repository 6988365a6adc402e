import { createServer } from "node:http"
import { Effect } from "effect"
import { Stripe } from "stripe"
import { temporaryDirectory } from "../../test/support/Application.ts"
import { run } from "../../test/support/Process.ts"
import { type Attack, issueKey, query, send, startTarget, type Target, valueOf } from "./Attack.ts"
import { listen } from "../../test/support/Sockets.ts"

const webhookSecret = "whsec_of_the_attack"

/** A stand-in for Stripe: opens sessions and expires them on request. */
const stripe = Effect.suspend(() => {
  let opened = 0
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const [, expired] = /sessions\/(\w+)\/expire/.exec(request.url ?? "") ?? []
      const id = expired ?? `cs_test_${++opened}`
      const status = expired === undefined ? "open" : "expired"
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ id, object: "checkout.session", status, url: `https://checkout.example/${id}` }))
    })
  })
  return listen(server)
})

const deliver = ({ server }: Target, event: Readonly<Record<string, unknown>>) => {
  const body = JSON.stringify({ object: "event", created: 1_795_428_000, ...event })
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret })
  return send(`${server.url}/webhooks/stripe`, { body, headers: { "stripe-signature": signature } })
}

interface Ordered {
  readonly id: string
  readonly session_id: string
  readonly key_id: string
}

/**
 * The events of a Stripe session: paid, the same event again, another event for the same payment, expired, and
 * refunded.
 */
const events = ({ id, session_id: session }: Ordered) => {
  const about = { metadata: { order_id: id }, payment_intent: `pi_${id}` }
  const paid = { id: session, payment_status: "paid", amount_total: 1900, currency: "usd", ...about }
  const type = "checkout.session.completed"
  return {
    paid: [
      { id: `evt_${id}_1`, type, data: { object: paid } },
      { id: `evt_${id}_1`, type, data: { object: paid } },
      { id: `evt_${id}_2`, type: "checkout.session.async_payment_succeeded", data: { object: paid } }
    ],
    expired: { id: `evt_${id}_3`, type: "checkout.session.expired", data: { object: paid } },
    refunded: { id: `evt_${id}_4`, type: "charge.refunded", data: { object: { id: "ch_1", refunded: true, ...about } } }
  }
}

/** The credits that an order may have added, by its final state and whether its key was erased. */
const allowed = (state: unknown, isErased: boolean): ReadonlyArray<number> => {
  if (state === "fulfilled") return isErased ? [0, 500] : [500]
  return [0]
}

export const orderRaces: Attack = {
  name: "12 orders by Stripe: paid three times, expired, cancelled, confirmed, refunded and erased concurrently",
  run: Effect.fnUntraced(function* () {
    const target = yield* startTarget(yield* temporaryDirectory, {
      STRIPE_SECRET_KEY: "sk_test_of_the_attack",
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PORT: new URL(yield* stripe).port,
      NODE_OPTIONS: `--import ${new URL("stripe.mjs", import.meta.url).href}`
    })
    const cli = (...args: ReadonlyArray<string>) =>
      run(target.directory, args, {
        STRIPE_SECRET_KEY: "sk_test_of_the_attack",
        STRIPE_WEBHOOK_SECRET: webhookSecret
      })
    const failures: Array<string> = []
    const states = new Map<string, number>()
    for (let i = 0; i < 12; i++) {
      const name = `buyer${i}`
      const key = yield* issueKey(target, name, 0)
      yield* send(`${target.server.url}/api/v1/orders`, { key, body: '{"pack":"starter"}' })
      const ordered = query(target, "SELECT id, session_id, key_id FROM orders ORDER BY created_at DESC LIMIT 1")[0]
      const order: Ordered = {
        id: String(ordered?.["id"]),
        session_id: String(ordered?.["session_id"]),
        key_id: String(ordered?.["key_id"])
      }
      const { expired, paid, refunded } = events(order)
      const mayRefund = i % 3 === 0
      const mayErase = i % 4 === 1
      yield* Effect.all(
        [
          ...paid.map((event) => deliver(target, event)),
          deliver(target, expired),
          ...(mayRefund ? [deliver(target, refunded)] : []),
          ...(i % 2 === 0 ? [cli("orders", "cancel", order.id)] : []),
          ...(i % 3 === 1 ? [cli("orders", "fulfil", order.id, "--reference", `pi_${order.id}`)] : []),
          ...(mayErase ? [cli("keys", "erase", order.key_id, "--yes")] : [])
        ],
        { concurrency: "unbounded" }
      )
      const state = valueOf(target, `SELECT state FROM orders WHERE id = '${order.id}'`)
      const given = Number(
        valueOf(target, `SELECT coalesce(sum(delta), 0) FROM credit_ledger WHERE reference LIKE '%:${order.id}'`)
      )
      states.set(String(state), (states.get(String(state)) ?? 0) + 1)
      if (!allowed(state, mayErase).includes(given)) failures.push(`${String(state)} with ${given} credits`)
    }
    const verified = yield* run(target.directory, ["ledger", "verify"])
    const ends = [...states].map(([state, count]) => `${count} ${state}`).join(", ")
    return {
      figure: `${ends}; ${failures.length === 0 ? "credits as the states require" : failures.join("; ")}; the ledger ${verified.code === 0 ? "sound" : "UNSOUND"}`,
      isDefended: failures.length === 0 && verified.code === 0
    }
  })
}

export const revokedDuringList: Attack = {
  name: "the operator revokes a key while its list is computed",
  run: Effect.fnUntraced(function* (target) {
    const key = yield* issueKey(target, "listing", 5000)
    const rates = { reply_rate: 5, positive_reply_rate: 30, meeting_booking_rate: 20, close_rate: 25 }
    const campaigns = Array.from({ length: 1000 }, (_, i) => ({
      name: `c${i}`,
      emails_sent: 5000 + i,
      ...rates
    }))
    const list = send(`${target.server.url}/api/v1/forecasts`, {
      key,
      body: JSON.stringify({ campaigns }),
      idempotencyKey: "listed"
    })
    const [listed, revoked] = yield* Effect.all([list, run(target.directory, ["keys", "revoke", key.slice(0, 17)])], {
      concurrency: 2
    })
    const again = yield* send(`${target.server.url}/api/v1/usage`, { key })
    const spent = () =>
      Number(valueOf(target, "SELECT -coalesce(sum(delta), 0) FROM credit_ledger WHERE kind = 'forecast'"))
    const verified = yield* run(target.directory, ["ledger", "verify"])
    const paid = spent()
    const isWhole = listed.status === 200 ? paid === 1000 : paid === 0
    return {
      figure: `revoked with ${revoked.code}; the list ${listed.status} after ${listed.millis.toFixed(0)} ms for ${paid} credits, the next request ${again.status}; the ledger ${verified.code === 0 ? "sound" : "UNSOUND"}`,
      isDefended: revoked.code === 0 && isWhole && again.status === 401 && verified.code === 0
    }
  })
}
