import { Effect } from "effect"
import type { KeyId } from "../KeyStatus.ts"
import { dayLength, dayOf, startOfDay } from "../text/Times.ts"
import { type Ledger } from "./Ledger.ts"
import { type DailyForecasts, keptUsageDays, type LedgerEntry } from "./LedgerEntry.ts"

/** The forecasts of a key by itself, or with one of its sub-keys, on a day, with the newest of their entries. */
export interface DayForecasts extends DailyForecasts {
  readonly entries: ReadonlyArray<LedgerEntry>
}

/** The changes of a key's credits on a UTC day like 2026-11-23. */
export interface LedgerDay {
  readonly day: string
  /** By the key itself, then by sub-key. */
  readonly forecasts: ReadonlyArray<DayForecasts>
  /** The other changes, newest first. */
  readonly changes: ReadonlyArray<LedgerEntry>
}

/** Some days of a ledger, newest first. `isMore` is true if there are older ones. */
export interface LedgerDays {
  readonly days: ReadonlyArray<LedgerDay>
  readonly isMore: boolean
}

/** The most single entries of a line, for a key or sub-key on a day. */
const maxEntries = 100

/** The number of entries after which no further day is added to a page, and the most days on one. */
const entriesOnPage = 200
const daysOnPage = 7

/** The most lines and the most other changes that are read for a page; most days have far fewer. */
const maxRead = 200

/**
 * The days of a key's ledger before a UTC day, as many as fit on a page and at least one; never a part of a day, unless
 * it has more than 200 sub-keys or changes. Only days whose usage is kept.
 */
export const ledgerDaysBefore = Effect.fnUntraced(function* (
  ledger: Ledger["Service"],
  keyId: KeyId,
  before: string,
  now: number
) {
  const from = startOfDay(dayOf(now - (keptUsageDays - 1) * dayLength))
  const lines = yield* ledger.daysBefore(keyId, before, maxRead)
  const changes = yield* ledger.changes(keyId, { from, before: startOfDay(before) }, maxRead)
  const byDay = Map.groupBy(
    lines.filter(({ day }) => day >= dayOf(from)),
    ({ day }) => day
  )
  const changesByDay = Map.groupBy(changes, ({ createdAt }) => dayOf(createdAt))
  const days = [...new Set([...byDay.keys(), ...changesByDay.keys()])].toSorted().toReversed()
  // A day may have more rows than were read.
  const cut = [
    ...(lines.length === maxRead ? [lines.at(-1)?.day ?? ""] : []),
    ...(changes.length === maxRead ? [dayOf(changes.at(-1)?.createdAt ?? 0)] : [])
  ].toSorted()
  const firstWhole = cut.at(-1) ?? ""
  const shown: Array<string> = []
  let entries = 0
  for (const day of days) {
    if (shown.length > 0 && (shown.length === daysOnPage || entries >= entriesOnPage || day <= firstWhole)) break
    shown.push(day)
    entries += changesByDay.get(day)?.length ?? 0
    for (const { requests } of byDay.get(day) ?? []) entries += Math.min(requests, maxEntries)
  }
  const rows = shown.flatMap((day) => byDay.get(day) ?? [])
  const found = new Map((yield* ledger.entriesOfDays(rows, maxEntries)).map((entries, index) => [rows[index], entries]))
  return {
    days: shown.map((day) => ({
      day,
      forecasts: (byDay.get(day) ?? []).map((row) => ({ ...row, entries: found.get(row) ?? [] })),
      changes: changesByDay.get(day) ?? []
    })),
    isMore: shown.length < days.length || cut.length > 0
  }
})
