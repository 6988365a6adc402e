import { type Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Schema } from "effect"
import { sample } from "../../support/Samples.ts"

/** A complete response, as read by a caller. */
export interface Reply {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
  readonly isReplay: boolean
}

const one = { path: "/api/v1/forecast", body: JSON.stringify(sample) }
const three = { path: "/api/v1/forecasts", body: JSON.stringify({ campaigns: [sample, sample, sample] }) }

/** A request of an account: every fourth is for three campaigns at once. */
const isOfMany = (ordinal: number) => ordinal % 4 === 0

/** Requests a forecast over the agent's connections; undefined if there was no complete response. */
const requestForecast = (
  agent: Agent,
  url: string,
  secret: string,
  { idempotencyKey, ordinal }: Sent
): Promise<Reply | undefined> =>
  new Promise((resolve) => {
    const { body, path } = isOfMany(ordinal) ? three : one
    const call = request(`${url}${path}`, {
      agent,
      method: "POST",
      headers: {
        "x-api-key": secret,
        "content-type": "application/json",
        "content-length": body.length,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
      }
    })
    call.on("error", () => resolve(undefined))
    call.on("response", (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("error", () => resolve(undefined))
      response.on("close", () => {
        if (!response.complete) return resolve(undefined)
        resolve({
          status: response.statusCode ?? 0,
          text,
          retryAfter: response.headers["retry-after"],
          isReplay: response.headers["idempotent-replayed"] === "true"
        })
      })
    })
    call.end(body)
  })

const decodeAnswer = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ usage: Schema.Struct({ credits_remaining: Schema.Int }) }))
)

/** A request: its index, and its Idempotency-Key. */
interface Sent {
  readonly ordinal: number
  readonly idempotencyKey: string | undefined
}

interface AccountKey {
  readonly id: string
  readonly secret: string
  /** True if each request has its own Idempotency-Key. */
  readonly isIdempotent: boolean
  /** True if a request that got a 503 may have been charged, by a commit that was not confirmed. */
  readonly isRefusalUnsure: boolean
}

/**
 * The knowledge of one key's callers about its credits, to compare with the ledger. The key is given credits once, so each
 * balance occurs once: the balance in a response identifies the ledger row of its credit.
 */
export class Account {
  /** The balances in completely read responses. */
  readonly acknowledged = new Set<number>()
  /** Requests without an Idempotency-Key that got no response or an unsure one, each of which may have been charged. */
  unanswered = 0
  /** Requests with an Idempotency-Key that got no response and were retried. */
  sentAgain = 0
  /** Those of them that had already been charged, and got the first response. */
  replayed = 0
  /** The forecasts that the ledger had at the last comparison. */
  inLedger = 0
  /** Requests that got a 503. None of them was charged, unless refusals are unsure. */
  refused = 0
  /** The faults found so far. */
  readonly #faults: Array<string> = []
  readonly #key: AccountKey
  readonly #pending = new Map<string, Sent>()
  readonly #agent: Agent
  #sent = 0
  #newest: { readonly sent: Sent; readonly text: string } | undefined
  #isExhausted = false

  constructor(key: AccountKey, agent: Agent) {
    this.#key = key
    this.#agent = agent
  }

  get id(): string {
    return this.#key.id
  }

  /** Sends a new request, with an Idempotency-Key if this is an account of such requests. */
  send(url: string): Promise<Reply | undefined> {
    const ordinal = ++this.#sent
    return this.#send(url, { ordinal, idempotencyKey: this.#key.isIdempotent ? `request-${ordinal}` : undefined })
  }

  /** Retries the requests that got no response, and the newest that got one. */
  async sendAgain(url: string): Promise<void> {
    const pending = [...this.#pending.values()]
    const sendOne = async () => {
      for (let sent = pending.pop(); sent !== undefined; sent = pending.pop()) {
        let reply = await this.#send(url, sent)
        // A key may have only a few lists at a time.
        while (reply?.status === 503) {
          await setTimeout(100)
          reply = await this.#send(url, sent)
        }
        if (reply?.status !== 200) this.#fault(`a retried request got ${reply?.status ?? "no response"}`)
        this.sentAgain++
        if (reply?.isReplay) this.replayed++
      }
    }
    await Promise.all(Array.from({ length: 20 }, sendOne))
    if (this.#newest === undefined) return
    const { sent, text } = this.#newest
    const replay = await requestForecast(this.#agent, url, this.#key.secret, sent)
    if (replay?.text !== text || !replay.isReplay) this.#fault("a retry of an answered request got another response")
  }

  /** The differences between the responses and the balances after each forecast in the ledger; all requests must be settled. */
  compare(rows: ReadonlyArray<number>): ReadonlyArray<string> {
    this.inLedger = rows.length
    const balances = new Set(rows)
    const lost = [...this.acknowledged].filter((balance) => !balances.has(balance))
    if (lost.length > 0) this.#fault(`acknowledged, but not in the ledger: ${lost.slice(0, 5).join()}`)
    if (balances.size < rows.length) this.#fault(`${rows.length - balances.size} balances occur twice`)
    const unknown = rows.length - this.acknowledged.size
    if (unknown < 0 || unknown > this.unanswered) {
      this.#fault(`${rows.length} forecasts for ${this.acknowledged.size} responses, ${this.unanswered} unanswered`)
    }
    if (this.#isExhausted && !balances.has(0)) this.#fault("was refused with credits left")
    return this.#faults
  }

  async #send(url: string, sent: Sent): Promise<Reply | undefined> {
    const { idempotencyKey, ordinal } = sent
    const reply = await requestForecast(this.#agent, url, this.#key.secret, sent)
    if (reply?.status === 200) {
      const balance = decodeAnswer(reply.text).usage.credits_remaining
      if (this.acknowledged.has(balance)) this.#fault(`two responses with ${balance} credits left`)
      this.acknowledged.add(balance)
      if (idempotencyKey !== undefined) {
        this.#pending.delete(idempotencyKey)
        this.#newest = { sent, text: reply.text }
      }
      return reply
    }
    if (idempotencyKey !== undefined) this.#pending.set(idempotencyKey, sent)
    else if (reply === undefined || (reply.status === 503 && this.#key.isRefusalUnsure)) this.unanswered++
    if (reply?.status === 503) {
      if (reply.retryAfter !== "1" || !reply.text.includes('"code":"unavailable"')) this.#fault(`got ${reply.text}`)
      this.refused++
    } else if (reply?.status === 429) this.#isExhausted ||= !isOfMany(ordinal)
    else if (reply !== undefined) this.#fault(`a response with ${reply.status}: ${reply.text}`)
    return reply
  }

  #fault(what: string) {
    this.#faults.push(`${this.#key.id} ${what}`)
  }
}
