import { Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { keyView } from "../../keys/KeysCommand.ts"
import type { CommandDatabase } from "../../cli/CommandDatabase.ts"
import { fields, json, print, table } from "../../cli/Printing.ts"
import type { Credits } from "../../credits/Credits.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import { type KeyUnusable, unusable } from "../../KeyStatus.ts"
import { type CallCount, keptDays } from "../../keys/CallCounts.ts"
import type { Mail } from "../../mail/Mail.ts"
import { mailView } from "../../mail/MailsCommand.ts"
import type { Order } from "../../orders/Order.ts"
import { orderView } from "../../orders/OrdersCommand.ts"
import { Settings } from "../../Settings.ts"
import { counted } from "../../text/Figures.ts"
import { withoutSecrets } from "../../text/SafeText.ts"
import { findCustomerRecord, maxShown, type CustomerRecordServices } from "./CustomerRecord.ts"
import { NearAddresses } from "./NearAddresses.ts"
import { isoTime } from "../../text/Times.ts"

/** Nothing is stored about an address. */
class AddressUnknown extends Schema.TaggedError<AddressUnknown>()("AddressUnknown", {
  address: Schema.String,
  near: Schema.Array(Schema.Struct({ email: Schema.String, of: Schema.String }))
}) {
  override get message() {
    const near = this.near.map(({ email, of }) => `${email} (${of})`)
    return `Nothing is stored about ${withoutSecrets(this.address)}. ${near.length === 0 ? "No key and no order has a similar address" : `Near: ${near.join(", ")}`}`
  }
}

/** Nothing is stored about a text. */
class NothingKnown extends Schema.TaggedError<NothingKnown>()("NothingKnown", { text: Schema.String }) {
  override get message() {
    return `Nothing is stored about ${withoutSecrets(this.text)}. For a request, look for its request_id in the log: its line has the key, the code and the charge, and why explains the key and the charge`
  }
}

const callView = ({ calls, code, day, lastAt, lastRequestId }: CallCount) => ({
  day,
  result: code === "" ? "succeeded" : code,
  calls,
  last_at: isoTime(lastAt),
  last_request: lastRequestId
})

const whyUnusable: { readonly [Reason in KeyUnusable as Reason["_tag"]]: string } = {
  KeyRevoked: "permanently revoked: its calls get key_revoked",
  PlanInactive: "usable, but its plan is inactive: its calls get plan_inactive"
}

const keyState = ({ id: keyId, plan: keyPlan, secretPrefix: prefix, state }: ApiKey): string => {
  if (state === "unconfirmed") return "unconfirmed: nobody has opened the link in its email"
  const reason = unusable({ keyId, keyPlan, prefix, state })
  return reason === undefined ? "usable" : whyUnusable[reason._tag]
}

const creditState = (remaining: number, granted: number): string =>
  `${remaining} of ${granted} left${remaining === 0 && granted > 0 ? ": forecasts get usage_exhausted until it gets more" : ""}`

const describeCalls = (calls: ReadonlyArray<CallCount>): string =>
  calls.length === 0
    ? `No calls in ${keptDays} days; those of the last minute are not counted yet.`
    : table(calls.slice(0, maxShown).map(callView))

const describeKey = Effect.fnUntraced(function* ({
  calls,
  key
}: {
  readonly key: ApiKey
  readonly calls: ReadonlyArray<CallCount>
}) {
  const { limits } = yield* Settings
  const view = yield* keyView(key)
  // The service does not store its limits; they differ if it has other settings.
  const limit = `${limits.keyRequestsPerSecond} requests per second at each instance, ${limits.rotationsPerHour} rotations per hour, ${counted(limits.unpaidOrdersPerKey, "unpaid order")}, by the settings of this command`
  const shown = {
    // Until the link in its email is opened, a key has no prefix.
    key: view.prefix === "" ? view.id : view.prefix,
    state: keyState(key),
    credits: creditState(view.credits_remaining, view.credits_granted),
    limits: limit,
    owner: `${view.name}, ${view.company}, ${view.email}`,
    "this month": counted(view.requests_this_month, "forecast"),
    since: view.created_at
  }
  return {
    json: { ...view, requests_per_second: limits.keyRequestsPerSecond, calls: calls.map(callView) },
    text: `${fields(shown)}\n\n${describeCalls(calls)}`
  }
})

const describeOrder = ({ order, waitsFor }: { readonly order: Order; readonly waitsFor: string | undefined }) => {
  const view = orderView(order)
  const { created_at, id, pack, price, reference, state } = view
  const shown = { order: id, state, pack: `${pack} for ${price}`, reference, created_at }
  return {
    json: { ...view, waits_for: waitsFor ?? null },
    text: fields({ ...shown, "waits for": waitsFor ?? "nothing" })
  }
}

const describeMail = (mail: Mail) => {
  const { attempts, created_at, id, last_error, next_attempt_at, sent_at, state, subject, to } = mailView(mail)
  const detail = {
    sent: { sent_at },
    queued: { "next try": next_attempt_at },
    dead: { "what to do": `mails retry ${id}, or mails discard ${id}` },
    discarded: {}
  }[state]
  const error = last_error === "" ? {} : { "last error": last_error }
  return fields({ email: id, state, to, subject, created_at, attempts, ...error, ...detail })
}

/** The services that `why` calls. */
export type WhyServices = CustomerRecordServices | Credits | NearAddresses | Settings

/** `why`: everything stored about a person, a key, an order, an email or a request. */
export const whyCommand = ({ reads }: CommandDatabase<WhyServices>) =>
  reads(
    Command.make(
      "why",
      {
        who: Argument.String("who").pipe(
          Argument.withDescription(
            "An address, a key or its prefix, or the ID of an order, an email, a request or a charge"
          )
        ),
        json
      },
      Effect.fnUntraced(function* ({ json, who }) {
        const found = yield* findCustomerRecord(who)
        if (Option.isNone(found)) return yield* new NothingKnown({ text: who })
        const { hasMore, mails, unknown, what } = found.value
        if (who.includes("@") && [found.value.keys, found.value.orders, mails].every((each) => each.length === 0)) {
          const near = yield* (yield* NearAddresses).near(who)
          return yield* new AddressUnknown({ address: who, near })
        }
        const keys = yield* Effect.forEach(found.value.keys, describeKey)
        const orders = found.value.orders.map(describeOrder)
        const head = `${withoutSecrets(who)} is ${what}. Found: ${counted(keys.length, "key")}, ${counted(orders.length, "order")}, ${counted(mails.length, "email")}.`
        const texts = [
          head,
          ...(unknown === undefined ? [] : [`No key begins with ${unknown.prefix}\n\n${describeCalls(unknown.calls)}`]),
          ...keys.map(({ text }) => text),
          ...orders.map(({ text }) => text),
          ...mails.map(describeMail),
          ...(hasMore ? [`There are more; only the newest ${maxShown} of each are shown.`] : [])
        ]
        const shown = {
          who: withoutSecrets(who),
          what,
          keys: keys.map(({ json }) => json),
          unknown_key: unknown === undefined ? null : { prefix: unknown.prefix, calls: unknown.calls.map(callView) },
          orders: orders.map(({ json }) => json),
          mails: mails.map(mailView),
          has_more: hasMore
        }
        yield* print(json, shown, texts.join("\n\n"))
      })
    ).pipe(
      Command.withDescription(
        "Show what happened to a customer: keys with their credits, limits and calls by result, orders and what they are waiting for, emails and why they were not sent."
      )
    )
  )
