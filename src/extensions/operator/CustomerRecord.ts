import { SubKeys } from "../subkeys/SubKeys.ts"
import { Effect, Option } from "effect"
import { CallCounts } from "../../keys/CallCounts.ts"
import type { ApiKey } from "../../keys/ApiKey.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { KeyStore } from "../../keys/KeyStore.ts"
import { Ledger } from "../../credits/Ledger.ts"
import { isErased, type Mail } from "../../mail/Mail.ts"
import { Mails } from "../../mail/Mails.ts"
import type { Order } from "../../orders/Order.ts"
import { Orders } from "../../orders/Orders.ts"
import { shownPart } from "../../text/SafeText.ts"

/** The most emails, the most orders, and the most revoked sub-keys, in a record. */
export const maxShown = 50

/** The object that a text identifies, and how it leads to its person. */
interface Identified {
  readonly what: string
  readonly address?: string | undefined
  readonly keys?: ReadonlyArray<ApiKey>
  readonly orders?: ReadonlyArray<Order>
  readonly mails?: ReadonlyArray<Mail>
  /** The prefix of a key that does not exist. */
  readonly prefix?: string
}

const asOrder = Effect.fnUntraced(function* (id: string) {
  const order = yield* Effect.option(Effect.flatMap(Orders, ({ find }) => find(id)))
  return Option.map(order, (order): Identified => ({ what: "an order", address: order.owner.email, orders: [order] }))
})

const asMail = Effect.fnUntraced(function* (id: string) {
  const mail = yield* Effect.option(Effect.flatMap(Mails, ({ find }) => find(id)))
  return Option.map(mail, (mail): Identified => ({
    what: `an email: ${mail.subject}`,
    address: mail.to,
    mails: [mail]
  }))
})

const asKey = Effect.fnUntraced(function* (text: string) {
  const keys = yield* Effect.flatMap(ApiKeys, ({ search }) => search(text))
  if (keys.length === 0) return Option.none<Identified>()
  return Option.some<Identified>({ what: keys.length === 1 ? "a key" : "the prefix of several keys", keys })
})

/** The keys of the sub-keys that a text identifies. */
const keysOfSubKeys = Effect.fnUntraced(function* (text: string) {
  const apiKeys = yield* ApiKeys
  const found = yield* apiKeys.searchSubKeys(text)
  return (yield* Effect.forEach(found, ({ keyId }) => apiKeys.search(keyId))).flat()
})

const asSubKey = Effect.fnUntraced(function* (text: string) {
  const keys = yield* keysOfSubKeys(text)
  return keys.length === 0 ? Option.none<Identified>() : Option.some<Identified>({ what: "a sub-key", keys })
})

/** A charge by its reference, which is in the log line of the request. */
const asCharge = Effect.fnUntraced(function* (reference: string) {
  const entry = yield* Effect.flatMap(Ledger, ({ find }) => find(reference))
  if (Option.isNone(entry)) return Option.none<Identified>()
  const { delta, keyId, kind } = entry.value
  const keys = yield* Effect.flatMap(ApiKeys, ({ search }) => search(keyId))
  return Option.some<Identified>({ what: `an entry of the ledger: ${kind}, ${delta} credits`, keys })
})

const asRequest = Effect.fnUntraced(function* (id: string) {
  const count = yield* Effect.flatMap(CallCounts, ({ findRequest }) => findRequest(id))
  if (Option.isNone(count)) return Option.none<Identified>()
  const { code, prefix } = count.value
  const keys = [...(yield* Effect.flatMap(ApiKeys, ({ search }) => search(prefix))), ...(yield* keysOfSubKeys(prefix))]
  const what = code === "" ? "a request that succeeded" : `a request that was refused with ${code}`
  return Option.some<Identified>({ what, keys, ...(keys.length === 0 ? { prefix } : {}) })
})

const asUnknownKey = Effect.fnUntraced(function* (text: string) {
  const prefix = shownPart(text) ?? text
  const counts = yield* Effect.flatMap(CallCounts, ({ of }) => of([prefix]))
  return counts.length === 0
    ? Option.none<Identified>()
    : Option.some<Identified>({ what: "the prefix of no key", prefix })
})

/** The object that a text identifies: the first match. */
const identify = Effect.fnUntraced(function* (text: string) {
  if (text.includes("@")) return Option.some<Identified>({ what: "an address", address: text })
  for (const as of [asOrder, asKey, asSubKey, asMail, asCharge, asRequest, asUnknownKey]) {
    const found = yield* as(text)
    if (Option.isSome(found)) return found
  }
  return Option.none<Identified>()
})

const byId = <A extends { readonly id: string }>(...lists: ReadonlyArray<ReadonlyArray<A>>) => [
  ...new Map(lists.flat().map((item) => [item.id, item])).values()
]

/** The event that an order is waiting for; undefined if it is settled. */
const waitsFor = (
  { dispute, disputeId, id, mailId, method, state }: Order,
  mail: Option.Option<Mail>
): string | undefined => {
  if (dispute === "open") return `Stripe's decision on the dispute ${disputeId}: answer it there`
  if (state === "awaiting_payment") {
    return method === "manual"
      ? `your confirmation of the payment: orders fulfil ${id} --reference PAYMENT`
      : "the buyer, who has not paid at Stripe"
  }
  if (state !== "fulfilled" || Option.isNone(mail) || ["sent", "discarded"].includes(mail.value.state)) return undefined
  return mail.value.state === "queued"
    ? `its email ${mailId}, which is queued`
    : `its email ${mailId}, which is dead: mails retry ${mailId}`
}

/**
 * Collects everything stored about the object that a text identifies and about its person: their keys with the calls of
 * 30 days, including those of sub-keys, their orders and their emails. None if it identifies nothing.
 */
export const findCustomerRecord = Effect.fn("findCustomerRecord")(function* (text: string) {
  const found = yield* identify(text)
  if (Option.isNone(found)) return Option.none()
  const { address, keys = [], mails = [], orders = [], prefix, what } = found.value
  const given = [...(address === undefined ? [] : [address]), ...keys.map(({ owner }) => owner.email)]
  // Erased people have no address: only the records themselves remain.
  const addresses = given.filter((each) => !isErased(each))
  const apiKeys = yield* ApiKeys
  const allOrders = yield* Orders
  const allKeys = byId(keys, ...(yield* Effect.forEach(addresses, apiKeys.search)))
  const ofPerson = yield* Effect.forEach(addresses, allOrders.ofMailbox)
  const ofKeys = yield* Effect.forEach(allKeys, ({ id }) => allOrders.listOf(id, maxShown))
  const placed = byId(orders, ...ofPerson, ...ofKeys)
  const spellings = [...addresses, ...[...allKeys, ...placed].map(({ owner }) => owner.email)]
  const written = new Set(spellings.filter((each) => !isErased(each)))
  const outbox = yield* Mails
  const sent = byId(mails, yield* outbox.list(undefined, maxShown + 1, [...written]))
  const counts = yield* CallCounts
  const store = yield* KeyStore
  return Option.some({
    what,
    keys: yield* Effect.forEach(
      allKeys,
      Effect.fnUntraced(function* (key) {
        const { listOf, usableOf } = yield* SubKeys
        const subKeys = [...(yield* usableOf(key.id)), ...(yield* listOf(key.id, { limit: maxShown }))]
        const prefixes = [
          ...(yield* store.secretsOf(key.id)).map((secret) => secret.prefix),
          ...subKeys.map(({ secretPrefix }) => secretPrefix)
        ]
        return { key, calls: yield* counts.of([...new Set([key.secretPrefix, ...prefixes])]) }
      })
    ),
    unknown: prefix === undefined ? undefined : { prefix, calls: yield* counts.of([prefix]) },
    orders: yield* Effect.forEach(
      placed.slice(0, maxShown),
      Effect.fnUntraced(function* (order) {
        const mail = order.mailId === undefined ? Option.none() : yield* Effect.option(outbox.find(order.mailId))
        return { order, waitsFor: waitsFor(order, mail) }
      })
    ),
    mails: sent.slice(0, maxShown),
    hasMore: placed.length > maxShown || sent.length > maxShown
  })
})

/** The services that a record is collected from. */
export type CustomerRecordServices = Effect.Services<ReturnType<typeof findCustomerRecord>>
