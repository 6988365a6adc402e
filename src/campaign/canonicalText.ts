import { Predicate } from "effect"

/**
 * The order of the fields of requests in their canonical texts, whatever the order of their declarations. It must never
 * change: clients retry across upgrades. A new field needs no entry: those without one follow, by name.
 */
const order = (
  "campaigns name emails_sent reply_rate positive_reply_rate meeting_booking_rate close_rate average_deal_value " +
  "campaign_cost delivery_rate show_rate emails_per_contact spread history goal so_far open emails_left emails " +
  "delivered replies positive_replies meetings meetings_held clients revenue profit roi_multiple chance"
).split(" ")

const placeByName = new Map(order.map((name, place) => [name, place]))

const placeOf = (name: string) => placeByName.get(name) ?? order.length

const inOrder = (_: string, value: unknown): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)))
    : value

/** The JSON text of an encoded request, with its fields in a fixed order: its hash is the fingerprint of the request. */
export const canonicalText = (request: object): string => JSON.stringify(request, inOrder)
