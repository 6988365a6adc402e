import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Credits } from "../../src/credits/Credits.ts"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import type { LedgerEntry } from "../../src/credits/LedgerEntry.ts"
import type { KeyId, KeyState } from "../../src/KeyStatus.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import type { OrderState } from "../../src/orders/Order.ts"
import { monthOf } from "../../src/text/Times.ts"
import { hold, type Task } from "./Steps.ts"
import type { Instance } from "./World.ts"

/** The lifetime of a stored answer, in milliseconds. */
export const day = 24 * 3_600_000

/** A stored answer, and the time at which its lifetime begins. */
export interface Kept {
  readonly answer: string
  at: number
}

const sumOf = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0)

/** The committed state to which the rules apply. */
export type Books = Effect.Success<ReturnType<typeof readBooks>>

export const readBooks = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  return {
    keys: yield* sql<{ readonly id: KeyId; readonly email: string; readonly state: KeyState }>`
      SELECT id, email, state FROM api_keys`,
    entries: yield* sql<LedgerEntry>`
      SELECT key_id, kind, delta, balance_after, reference, created_at FROM credit_ledger ORDER BY id`,
    balances: yield* sql<{ readonly keyId: KeyId; readonly balance: number; readonly granted: number }>`
      SELECT key_id, balance, granted FROM credit_balances`,
    answers: yield* sql<{ readonly id: number; readonly repeatId: string; readonly answer: string }>`
      SELECT id, scope || ' ' || operation || ' ' || idempotency_key AS repeat_id, answer FROM idempotent_answers`,
    orders: yield* sql<{
      readonly id: string
      readonly state: OrderState
      readonly credits: number
      readonly mailId: string | null
      readonly creditedKeyId: KeyId | null
    }>`SELECT id, state, credits, mail_id, credited_key_id FROM orders`,
    mails: yield* sql`SELECT id FROM mails`,
    asked: yield* sql<{ readonly times: number }>`
      SELECT times FROM audit_log WHERE action IN ('access_requested', 'replacement_requested')`
  }
})

/** Checks that a task has committed exactly its work: charges for its answers, and each request once per day. */
export const checkCommit = (task: Task, before: Books, books: Books, answers: Map<string, Kept>, now: number): void => {
  const written = books.entries.slice(before.entries.length)
  const charges = written.filter(({ kind }) => kind === "forecast")
  const costs = new Map(task.calls.map(({ cost, repeatId }) => [repeatId, cost]))
  const known = new Map(before.answers.map(({ answer, id }) => [id, answer]))
  const kept = books.answers.filter(({ answer, id }) => known.get(id) !== answer)
  for (const { answer, repeatId } of kept) {
    const before = answers.get(repeatId)
    hold(before === undefined || before.at + day <= now, `${task.name}: ${repeatId} is done twice`)
    answers.set(repeatId, { answer, at: now })
  }
  const ordered = books.orders.length - before.orders.length
  hold(
    task.repeatId === undefined || ordered === (kept.length > 0 ? 1 : 0),
    `${task.name} made ${ordered} orders and keeps ${kept.length} answers`
  )
  const once = sumOf(task.calls.filter(({ repeatId }) => repeatId === undefined).map(({ cost }) => cost))
  const keptFor = sumOf(kept.map(({ repeatId }) => costs.get(repeatId) ?? 0))
  const taken = -sumOf(charges.map(({ delta }) => delta))
  hold(taken >= keptFor, `${task.name}: kept answers for ${keptFor} credits and took ${taken}`)
  hold(taken - keptFor <= once, `${task.name}: took ${taken} credits and keeps answers for ${keptFor}`)
  const others = written.filter(({ kind }) => kind !== "forecast")
  for (const { kind } of others) hold(task.mayWrite.includes(kind), `${task.name} wrote ${kind}`)
  task.wrote.push(...written)
  hold(task.wrote.filter(({ kind }) => kind !== "forecast").length <= 1, `${task.name} changed credits more than once`)
}

/** Checks that the balances match the ledger. */
const checkBalances = ({ balances, entries }: Books) => {
  const sums = new Map<string, { remaining: number; granted: number }>()
  for (const { balanceAfter, delta, keyId, kind, reference } of entries) {
    const sum = sums.get(keyId) ?? { remaining: 0, granted: 0 }
    sum.remaining += delta
    if (kind !== "forecast") sum.granted += delta
    hold(sum.remaining === balanceAfter && balanceAfter >= 0, `${reference}: ${balanceAfter} credits after the entry`)
    sums.set(keyId, sum)
  }
  for (const { balance, granted, keyId } of balances) {
    const sum = sums.get(keyId)
    hold(sum?.remaining === balance && sum.granted === granted, `${keyId}: the balance is not the sum of the ledger`)
  }
}

/** Checks the rules that hold after each commit. */
export const checkBooks = (books: Books, mailboxes: ReadonlyMap<KeyId, string>): void => {
  checkBalances(books)
  const { entries, keys, orders } = books
  const byReference = new Map(entries.map((entry) => [entry.reference, entry]))

  const granted = entries.filter(({ kind }) => kind === "preview_grant").map(({ keyId }) => mailboxes.get(keyId))
  hold(new Set(granted).size === granted.length, "A mailbox received the preview credits twice")
  for (const { id, state } of keys) {
    if (state !== "usable") continue
    hold(granted.includes(mailboxes.get(id)), `${id} is usable, and its mailbox never received preview credits`)
  }

  for (const { creditedKeyId, credits, id, mailId, state } of orders) {
    const bought = byReference.get(`order:${id}`)
    const isCredited = state === "fulfilled" || (state === "refunded" && creditedKeyId !== null)
    hold((bought?.keyId ?? null) === creditedKeyId, `${id} is ${state}, and its credits are elsewhere`)
    hold(isCredited === (bought !== undefined), `${id} is ${state}, with ${bought?.delta ?? 0} credits added`)
    hold(isCredited === (mailId !== null), `${id} is ${state}, and its mail is ${mailId ?? "missing"}`)
    hold(bought === undefined || bought.delta === credits, `${id} added ${bought?.delta} credits`)
    hold(state === "refunded" || !byReference.has(`refund:${id}`), `${id} is ${state}, and was taken back`)
  }
  const packs = entries.filter(({ kind }) => kind === "credit_pack").length
  hold(packs === orders.filter(({ creditedKeyId }) => creditedKeyId !== null).length, "A pack without its order")

  const events =
    sumOf(books.asked.map(({ times }) => times)) + orders.length + orders.filter(({ mailId }) => mailId !== null).length
  hold(books.mails.length === events, `${books.mails.length} mails for ${events} events`)
}

/** Checks that the usage of each key has the forecasts of its ledger, by month. */
const checkMonths = Effect.fnUntraced(function* (instance: Context.Context<Instance>, { entries, keys }: Books) {
  for (const { id } of keys) {
    const months = new Map<string, number>()
    for (const { createdAt, delta, keyId, kind } of entries)
      if (keyId === id && kind === "forecast")
        months.set(monthOf(createdAt), (months.get(monthOf(createdAt)) ?? 0) - delta)
    const usage = yield* Context.get(instance, Credits).usage(id)
    const counted = usage.months.map(({ month, requests }) => `${month} ${requests}`)
    const written = [...months].map(([month, requests]) => `${month} ${requests}`).toSorted()
    hold(counted.toReversed().join() === written.join(), `${id} used ${written.join()}, and is told ${counted.join()}`)
  }
})

/**
 * Checks the rules that hold at the end: an instance finds no fault in the ledger, months add up, and no mail is
 * waiting.
 */
export const checkEnd = Effect.fnUntraced(function* (instance: Context.Context<Instance>, books: Books) {
  yield* checkMonths(instance, books)
  const { faults } = yield* Context.get(instance, LedgerAudit).verify
  hold(faults.length === 0, `The ledger audit found ${JSON.stringify(faults)}`)
  const waiting = yield* Context.get(instance, Outbox).list("queued", 1)
  hold(waiting.length === 0, `The mail ${waiting[0]?.id} waits forever`)
})
