import { fields, membersOf } from "../../../src/campaign/Fields.ts"
import {
  type CountName,
  countNames,
  isOptional,
  openNames,
  type OpenName,
  optionalRates,
  passedAt,
  rateNames,
  rates
} from "../../../src/campaign/Rates.ts"
import { seeded } from "../../../test/support/Seeded.ts"

/** A JSON object of a request. */
export type Body = Readonly<Record<string, unknown>>

/** Kinds of requests, by what they compute. */
export const kinds = ["forecast", "goal", "progress", "history", "list", "page"] as const
export type Kind = (typeof kinds)[number]

/** Draws odd but valid requests: rates near 0 and 100, counts at their limits. A seed always gives the same ones. */
export const makeDraw = (seed: number) => {
  const random = seeded(seed)
  const pick = <A>(values: readonly [A, ...ReadonlyArray<A>]): A =>
    values[Math.floor(random() * values.length)] ?? values[0]
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const maybe = (chance: number, object: () => Body): Body => (random() < chance ? object() : {})

  const rate = () =>
    pick([0.0003, 0.01, 0.5, 1, 2, 5, 20, 50, 90, 97, 99, 99.99, 99.9999, 100, random() * 100, random() * 10])

  const plan = (): Body => ({
    emails_sent: pick([1, 50, 232, 5000, 20_000, 1e5, 1e6, 1e7, 1e8]),
    reply_rate: rate(),
    positive_reply_rate: rate(),
    meeting_booking_rate: rate(),
    close_rate: rate(),
    ...maybe(0.8, () => ({ average_deal_value: pick([0, 1, 99, 2500, 1e6, 1e9]) })),
    ...maybe(0.8, () => ({ campaign_cost: pick([0, 0.01, 600, 50_000, 1e7, 1e9]) })),
    ...Object.fromEntries(optionalRates.flatMap((name) => (random() < 0.2 ? [[name, rate()] as const] : []))),
    ...maybe(0.3, () => ({ spread: "none" }))
  })

  /** Counts from emails to clients, each drawn from the one before it, nearly all of it or nearly nothing. */
  const counts = (emails: number) => {
    const next = (count: number) =>
      Math.floor(count * pick([0, 0.001, 0.02, 0.1, 0.5, 0.97, 0.9999, 1, random(), random() ** 3]))
    let count = emails
    return membersOf(countNames, (name) => {
      if (name === "emails_sent") return count
      const { isKnownAtOnce } = rates[passedAt(name).rate]
      count = isKnownAtOnce === true ? Math.ceil(count * pick([1, 0.96, 0.5])) : next(count)
      return count
    })
  }

  const history = (rows: number) => ({
    history: Array.from({ length: rows }, () => counts(pick([1, 20, 500, 2000, 5000, 1e5, 1e7, 1e8])))
  })

  const inFlight = (): Body => {
    const campaign = { ...plan(), ...maybe(0.05, () => history(pick([1, 3, 7]))) }
    const all = counts(pick([0, 1, 100, 2000, 2168, 50_000, 1e6, 1e8]))
    const given = rateNames.filter((name) => !isOptional(name) || name in campaign)
    const part = random() < 0.2 ? 0 : pick([1, random(), 0.01])
    let room = 100_000
    const undecided = (from: number, to: number) => {
      const count = Math.min(Math.floor((from - to) * part), pick([100_000, 2000, 50]), room)
      room -= count
      return count
    }
    const soFar: { [name in CountName]?: number } = { emails_sent: all.emails_sent }
    const open: { [name in OpenName]?: number } = {}
    let from: CountName = "emails_sent"
    for (const name of given) {
      const to = fields[name].passed.name
      soFar[to] = all[to]
      // Whether emails arrive is known at once: those that arrived are undecided until they are answered.
      if (rates[name].isKnownAtOnce !== true) {
        open[openNames.find((each) => each === from) ?? "emails"] = undecided(all[from], all[to])
      }
      from = to
    }
    return {
      ...campaign,
      so_far: soFar,
      open,
      emails_left: pick([0, 1000, 20_000, 100_000, upTo(100_000)])
    }
  }

  /** Rates that are nearly 1 but uncertain. */
  const nearlyAll = (): Body => {
    const sent = 2000 + upTo(400)
    const replies = sent - upTo(40)
    const positive = Math.floor(replies / 10)
    const meetings = Math.floor(positive / 10)
    const clients = Math.floor(meetings / 2)
    return {
      emails_sent: 232,
      reply_rate: 50,
      positive_reply_rate: 99,
      meeting_booking_rate: 99,
      close_rate: 99.9999,
      so_far: { emails_sent: sent, replies, positive_replies: positive, meetings, clients },
      open: {
        emails: sent - replies,
        replies: replies - positive,
        positive_replies: positive - meetings,
        meetings: meetings - clients
      },
      emails_left: pick([1000, 20_000, 100_000])
    }
  }

  const goal = () => {
    const aim = pick(["replies", "meetings", "clients", "revenue", "profit", "roi_multiple"])
    const target = aim === "roi_multiple" ? pick([0.5, 3, 100]) : pick([1, 4, 100, 1e5, 1e8])
    return { goal: { [aim]: target, ...maybe(0.8, () => ({ chance: pick([0.5, 0.8, 0.95, 0.999]) })) } }
  }

  const list = (): Body => ({
    campaigns: Array.from({ length: pick([1, 2, 5, 20, 21]) }, () => plan()),
    ...maybe(0.1, () => history(pick([1, 5, 20, 100])))
  })

  const draw: { readonly [kind in Kind]: () => Body } = {
    forecast: plan,
    goal: () => ({ ...plan(), ...maybe(0.1, () => history(pick([1, 5, 20]))), ...goal() }),
    progress: () => (random() < 0.1 ? nearlyAll() : inFlight()),
    history: () => ({ ...plan(), ...history(pick([1, 2, 3, 5, 7, 20, 20, 100])) }),
    list,
    page: () => ({
      ...(random() < 0.1
        ? nearlyAll()
        : random() < 0.5
          ? inFlight()
          : { ...plan(), ...maybe(0.2, () => history(pick([1, 5, 20]))) }),
      ...maybe(0.5, () => ({ goal: pick([1, 4, 100, 1e5]), goal_chance: pick([50, 80, 99.9]) })),
      ...maybe(0.5, () => ({ b_emails_sent: pick([1, 5000, 1e8]), b_reply_rate: rate(), b_close_rate: rate() }))
    })
  }
  return draw
}
