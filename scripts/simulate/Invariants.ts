import { Context, Effect } from "effect"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { type LedgerEntry, MemoryLedger } from "../../src/credits/Ledger.ts"
import { MemoryTables } from "../../src/database/MemoryTables.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import type { People } from "./People.ts"
import { hold, type Task } from "./Steps.ts"
import type { Stores } from "./World.ts"

/** How long an answer is kept, in milliseconds. */
export const day = 24 * 3_600_000
const all = 100_000

/** The answers that were kept, with the time from which they count. */
export interface Kept {
  readonly answer: string
  at: number
}

const sumOf = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0)

/** What a task has just committed must be what it was to do: charges for what it answers, and each request once a day. */
export const checkCommit = (
  task: Task,
  written: ReadonlyArray<LedgerEntry>,
  answers: Map<string, Kept>,
  now: number
): void => {
  const charges = written.filter(({ kind }) => kind === "forecast")
  const costs = new Map(task.calls.map(({ cost, repeatId }) => [repeatId, cost]))
  for (const { answer, repeatId } of task.kept) {
    const before = answers.get(repeatId)
    hold(before === undefined || before.at + day <= now, `${task.name}: ${repeatId} is done twice`)
    answers.set(repeatId, { answer, at: now })
  }
  const made = task.made.filter((what) => what !== "erasure")
  hold(
    task.repeatId === undefined || made.length === (task.kept.length > 0 ? 1 : 0),
    `${task.name} made ${made.length} and keeps ${task.kept.length} answers`
  )
  const once = sumOf(task.calls.filter(({ repeatId }) => repeatId === undefined).map(({ cost }) => cost))
  const kept = sumOf(task.kept.map(({ repeatId }) => costs.get(repeatId) ?? 0))
  const taken = -sumOf(charges.map(({ delta }) => delta))
  hold(taken >= kept, `${task.name}: kept answers for ${kept} credits and took ${taken}`)
  hold(taken - kept <= once, `${task.name}: took ${taken} credits and keeps answers for ${kept}`)
  const others = written.filter(({ kind }) => kind !== "forecast")
  for (const { kind } of others) hold(task.mayWrite.includes(kind), `${task.name} wrote ${kind}`)
  task.wrote.push(...written)
  hold(task.wrote.filter(({ kind }) => kind !== "forecast").length <= 1, `${task.name} changed credits more than once`)
}

/** The balances are what the ledger says. */
const checkBalances = (stores: Context.Context<Stores>) => {
  const { balances, entries } = Context.get(stores, MemoryLedger)
  const sums = new Map<string, { remaining: number; granted: number }>()
  for (const { balanceAfter, delta, keyId, kind, reference } of entries.values()) {
    const sum = sums.get(keyId) ?? { remaining: 0, granted: 0 }
    sum.remaining += delta
    if (kind !== "forecast") sum.granted += delta
    hold(sum.remaining === balanceAfter && balanceAfter >= 0, `${reference}: ${balanceAfter} credits after the entry`)
    sums.set(keyId, sum)
  }
  for (const [keyId, { granted, remaining }] of balances) {
    const sum = sums.get(keyId)
    hold(sum?.remaining === remaining && sum.granted === granted, `${keyId}: the balance is not the sum of the ledger`)
  }
}

/** Checks what must be so after each commit, over the stores as they are. */
export const checkStores = Effect.fnUntraced(function* (stores: Context.Context<Stores>, people: People) {
  checkBalances(stores)
  people.check(Context.get(stores, MemoryTables).all)
  const entries = [...Context.get(stores, MemoryLedger).entries.values()]
  const byReference = new Map(entries.map((entry) => [entry.reference, entry]))

  const keys = yield* Context.get(stores, KeyStore).list
  const mailboxes = new Map(keys.map((key) => [key.id, people.mailboxOf(key)]))
  const granted = entries.filter(({ kind }) => kind === "preview_grant").map(({ keyId }) => mailboxes.get(keyId))
  hold(new Set(granted).size === granted.length, "A mailbox had the preview credits twice")
  for (const { id, state } of keys) {
    if (state !== "usable") continue
    hold(granted.includes(mailboxes.get(id)), `${id} is usable, and its mailbox never had preview credits`)
  }

  const orders = yield* Context.get(stores, OrderStore).list(undefined, all)
  for (const { creditedKeyId, credits, id, mailId, state } of orders) {
    const bought = byReference.get(`order:${id}`)
    const isCredited = state === "fulfilled" || (state === "refunded" && creditedKeyId !== undefined)
    hold(bought?.keyId === creditedKeyId, `${id} is ${state}, and its credits are elsewhere`)
    hold(isCredited === (bought !== undefined), `${id} is ${state}, with ${bought?.delta ?? 0} credits added`)
    hold(isCredited === (mailId !== undefined), `${id} is ${state}, and its mail is ${mailId ?? "missing"}`)
    hold(bought === undefined || bought.delta === credits, `${id} added ${bought?.delta} credits`)
    hold(state === "refunded" || !byReference.has(`refund:${id}`), `${id} is ${state}, and was taken back`)
  }
  const packs = entries.filter(({ kind }) => kind === "credit_pack").length
  hold(packs === orders.filter(({ creditedKeyId }) => creditedKeyId !== undefined).length, "A pack without its order")

  const audit = Context.get(stores, AuditLog)
  const log = (yield* Effect.forEach(keys, ({ id }) => audit.entries(id))).flat()
  const asked = log.filter(({ action }) => action === "access_requested" || action === "replacement_requested").length
  const mails = yield* Context.get(stores, Outbox).list(undefined, all)
  const events = asked + orders.length + orders.filter(({ mailId }) => mailId !== undefined).length
  hold(mails.length === events, `${mails.length} mails for ${events} events`)
})

/** Checks what must be so when everything is over: the service finds no fault in its ledger, and no mail waits. */
export const checkEnd = Effect.fnUntraced(function* (stores: Context.Context<Stores>, people: People) {
  yield* checkStores(stores, people)
  const { faults } = yield* Effect.flatMap(LedgerAudit, ({ verify }) => verify(Effect.void))
  hold(faults.length === 0, `The audit of the ledger says ${JSON.stringify(faults)}`)
  const waiting = yield* Context.get(stores, Outbox).list("queued", all)
  hold(waiting.length === 0, `${waiting.length} mails wait for ever, the first is ${waiting[0]?.id}`)
})
