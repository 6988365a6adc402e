import { Array as Arr, Effect, Option, Redacted, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { UsageByMonth } from "../credits/Balance.ts"
import { Credits } from "../credits/Credits.ts"
import type { LedgerEntry } from "../credits/LedgerEntry.ts"
import type { KeyId } from "../KeyStatus.ts"
import { type ApiKey, DisplayName, EmailAddress, normalized } from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { type AuditEntry, AuditLog } from "./AuditLog.ts"
import { AmbiguousPrefix } from "./KeyFailures.ts"
import { isUsable, type SubKey } from "./SubKey.ts"
import type { CommandDatabase } from "../cli/CommandDatabase.ts"
import { keyName } from "../cli/Parameters.ts"
import { fields, json, print, printRecord, printStream, table } from "../cli/Printing.ts"
import { isoTime } from "../text/Times.ts"

const viewOf = (key: ApiKey, { balance, requests }: UsageByMonth) => ({
  id: key.id,
  prefix: key.secretPrefix,
  state: key.state,
  plan: key.plan,
  credits_remaining: balance.remaining,
  credits_granted: balance.granted,
  requests_this_month: requests,
  name: key.owner.name,
  email: key.owner.email,
  company: key.owner.company,
  created_at: isoTime(key.createdAt)
})

/** A key for the operator: everything except the hashes of its secrets. */
export const keyView = Effect.fnUntraced(function* (key: ApiKey) {
  const credits = yield* Credits
  return viewOf(key, yield* credits.usage(key.id))
})

const entryView = ({ balanceAfter, createdAt, delta, kind, reference, subKey }: LedgerEntry) => ({
  time: isoTime(createdAt),
  kind,
  delta,
  balance_after: balanceAfter,
  reference,
  sub_key: subKey ?? ""
})

/** A sub-key for the operator: everything except the hashes of its secrets. */
const subKeyView = (subKey: SubKey) => ({
  id: subKey.id,
  prefix: subKey.secretPrefix,
  key_id: subKey.keyId,
  name: subKey.name,
  state: isUsable(subKey) ? "usable" : "revoked",
  monthly_limit: subKey.monthlyLimit,
  month: subKey.month,
  requests_in_month: subKey.requests,
  created_at: isoTime(subKey.createdAt),
  last_used_at: subKey.lastUsedAt === undefined ? null : isoTime(subKey.lastUsedAt)
})

/** The same as text. */
const subKeyText = (subKey: SubKey) =>
  Object.fromEntries(Object.entries(subKeyView(subKey)).map(([name, value]) => [name, value ?? "none"]))

const printSubKey = (json: boolean, subKey: SubKey) => print(json, subKeyView(subKey), fields(subKeyText(subKey)))

/** The most entries of the audit log that are shown. */
const maxAudited = 50

const auditView = ({ action, actor, createdAt, lastAt, note, times }: AuditEntry) => ({
  time: isoTime(createdAt),
  actor,
  action,
  note: note ?? "",
  times,
  last_time: isoTime(lastAt ?? createdAt)
})

/** The sub-key with this ID, shown prefix or secret, if any. */
const findSubKey = Effect.fnUntraced(function* (name: string) {
  const [first, ...others] = yield* (yield* ApiKeys).searchSubKeys(name)
  if (first === undefined || others.length === 0) return Option.fromUndefinedOr(first)
  return yield* new AmbiguousPrefix({ prefix: name, ids: [first, ...others].map(({ id }) => id) })
})

const issue = Command.make(
  "issue",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the owner"), Flag.withSchema(DisplayName)),
    email: Flag.String("email").pipe(Flag.withDescription("Email address of the owner"), Flag.withSchema(EmailAddress)),
    company: Flag.String("company").pipe(Flag.withDescription("Company of the owner"), Flag.withSchema(DisplayName)),
    credits: Flag.Int("credits").pipe(
      Flag.withDescription("Initial credits; by default 100, once per address"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ credits, json, ...owner }) {
    const apiKeys = yield* ApiKeys
    const { key, secret } = yield* apiKeys.issue(normalized(owner), Option.getOrUndefined(credits))
    const shown = { ...(yield* keyView(key)), api_key: Redacted.value(secret) }
    yield* print(json, shown, `${fields(shown)}\n\nThis is the only time the key is shown. Save it now.`)
  })
).pipe(Command.withDescription("Issue a usable key. Its secret is shown once."))

const list = Command.make(
  "list",
  {
    find: Argument.String("find").pipe(
      Argument.withDescription("Only the keys with this address, prefix or ID"),
      Argument.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ find, json }) {
    const apiKeys = yield* ApiKeys
    const credits = yield* Credits
    const found = Option.match(find, {
      onNone: () => apiKeys.list,
      onSome: (text) => Stream.fromIterableEffect(apiKeys.search(text))
    })
    const keys = found.pipe(
      Stream.chunks,
      Stream.mapEffect((some) =>
        Effect.map(credits.usages(some.map(({ id }) => id)), (usages) => Arr.zipWith(some, usages, viewOf))
      ),
      Stream.flattenIterable
    )
    yield* printStream(
      json,
      keys,
      ({ company, created_at, credits_remaining: credits, email, id, plan, prefix, state }) => ({
        id,
        prefix,
        state,
        plan,
        credits,
        email,
        company,
        created_at
      })
    )
  })
).pipe(Command.withDescription("List all keys, oldest first."))

const show = Command.make(
  "show",
  { key: keyName, json },
  Effect.fnUntraced(function* ({ json, key: name }) {
    const apiKeys = yield* ApiKeys
    const credits = yield* Credits
    const auditLog = yield* AuditLog
    const subKey = yield* findSubKey(name)
    if (Option.isSome(subKey)) return yield* printSubKey(json, subKey.value)
    const key = yield* apiKeys.find(name)
    const subKeys = yield* apiKeys.subKeysOf(key.id)
    const shown = yield* keyView(key)
    const ledger = (yield* credits.history(key.id, 20)).map(entryView)
    const audit = (yield* auditLog.entries(key.id, maxAudited)).map(auditView)
    yield* print(
      json,
      { ...shown, sub_keys: subKeys.map(subKeyView), ledger, audit },
      `${fields(shown)}\n\nIts usable sub-keys:\n${table(subKeys.map(subKeyText))}\n\nLatest changes to its credits:\n${table(ledger)}\n\nNewest entries of the audit log:\n${table(audit)}`
    )
  })
).pipe(
  Command.withDescription(
    "Show a key, its usable sub-keys, the latest changes to its credits and to itself; or a sub-key."
  )
)

const change = (
  name: string,
  description: string,
  run: (apiKeys: ApiKeys["Service"], key: KeyId) => ReturnType<ApiKeys["Service"]["setKeyPlan"]>
) =>
  Command.make(
    name,
    { key: keyName, json },
    Effect.fnUntraced(function* ({ json, key }) {
      const apiKeys = yield* ApiKeys
      const { id } = yield* apiKeys.find(key)
      yield* printRecord(json, yield* keyView(yield* run(apiKeys, id)))
    })
  ).pipe(Command.withDescription(description))

const revoke = Command.make(
  "revoke",
  { key: keyName, json },
  Effect.fnUntraced(function* ({ json, key: name }) {
    const apiKeys = yield* ApiKeys
    const subKey = yield* findSubKey(name)
    if (Option.isSome(subKey)) {
      const { id, keyId } = subKey.value
      const revoked = yield* apiKeys.revokeSubKey(keyId, id, "operator")
      return yield* printSubKey(
        json,
        Option.getOrElse(revoked, () => subKey.value)
      )
    }
    const { id } = yield* apiKeys.find(name)
    yield* printRecord(json, yield* keyView(yield* apiKeys.revoke(id, "operator")))
  })
).pipe(Command.withDescription("Permanently revoke a key with its sub-keys, or one sub-key."))

/**
 * `keys`: the operator's commands for keys, and others. A change applies from the next request on, in a running service
 * too.
 */
export const keysCommand = <Others extends ReadonlyArray<Command.Command.Any>>(
  { changes, reads }: CommandDatabase<ApiKeys | AuditLog | Credits>,
  others: Others
) =>
  Command.make("keys").pipe(
    Command.withDescription("Issue, list and change API keys."),
    Command.withSubcommands([
      changes(issue),
      reads(list),
      reads(show),
      ...others,
      changes(revoke),
      changes(
        change("deactivate", "Deactivate a key's plan: its requests get 403.", (apiKeys, key) =>
          apiKeys.setKeyPlan(key, "inactive")
        )
      ),
      changes(change("activate", "Activate a key's plan again.", (apiKeys, key) => apiKeys.setKeyPlan(key, "active")))
    ])
  )
