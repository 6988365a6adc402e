import { Clock, Context, Effect, Layer, Schema } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { KeyId } from "../KeyId.ts"

/** The author of a change: the operator on the command line, the key's owner, or the service itself. */
export const Actor = Schema.Literals(["operator", "owner", "service"])
export type Actor = typeof Actor.Type

/** The actions on a key. */
export const AuditAction = Schema.Literals([
  "access_requested",
  "replacement_requested",
  "issued",
  "revealed",
  "first_used",
  "rotated",
  "revoked",
  "sub_key_created",
  "sub_key_changed",
  "sub_key_rotated",
  "sub_key_revoked",
  "activated",
  "deactivated",
  "prepared",
  "credits_granted",
  "credits_adjusted",
  "credits_bought",
  "credits_refunded",
  "unsubscribed",
  "subscribed",
  "erased"
])
export type AuditAction = typeof AuditAction.Type

/** A change of a key's state, or of its credits by an operator. Times are milliseconds UTC. */
export interface AuditEntry {
  readonly keyId: KeyId
  readonly actor: Actor
  readonly action: AuditAction
  readonly createdAt: number
  /** How often it was made within an hour, and the last time if that is more than once. */
  readonly times: number
  readonly lastAt: number | undefined
  /** Details, such as the change of credits and its reason. */
  readonly note: string | undefined
}

/** The time in which the same change by an owner is counted in one entry, in milliseconds. */
export const mergedWithin = 60 * 60_000

/**
 * The log of these changes; an entry is written in the transaction of its change. An owner can repeat a change at no
 * cost, so the same one within an hour is counted in its first entry, if that is among the newest 50 of the key.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly append: (keyId: KeyId, actor: Actor, action: AuditAction, note?: string) => Effect.Effect<void>
    /** Removes the notes from the entries of a key whose owner was erased: an operator may have named them there. */
    readonly eraseNotes: (keyId: KeyId) => Effect.Effect<void>
    /** The newest entries of a key, the oldest of them first. */
    readonly entries: (keyId: KeyId, limit: number) => Effect.Effect<ReadonlyArray<AuditEntry>>
  }
>()("outreach-forecast/keys/AuditLog") {
  static readonly layerMemory = Layer.effect(
    AuditLog,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const log = tables.table<AuditEntry>("audit_log")
      return AuditLog.of({
        append: (keyId, actor, action, note) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const [id = String(log.size), entry = { keyId, actor, action, createdAt: now, times: 0, note }] =
              [...log].findLast(
                ([, entry]) =>
                  actor === "owner" &&
                  entry.keyId === keyId &&
                  entry.actor === actor &&
                  entry.action === action &&
                  entry.note === note &&
                  entry.createdAt > now - mergedWithin
              ) ?? []
            const times = entry.times + 1
            log.set(id, { ...entry, times, lastAt: times > 1 ? now : undefined })
          }),
        eraseNotes: (keyId) =>
          Effect.sync(() => {
            for (const [id, entry] of log) if (entry.keyId === keyId) log.set(id, { ...entry, note: undefined })
          }),
        entries: (keyId, limit) =>
          Effect.sync(() => [...log.values()].filter((entry) => entry.keyId === keyId).slice(-limit))
      })
    })
  )
}
