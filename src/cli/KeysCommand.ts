import { Console, DateTime, Effect, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Application from "../Application.ts"
import { Credits, previewCredits } from "../credits/Credits.ts"
import type { LedgerEntry } from "../credits/Ledger.ts"
import { type ApiKey, EmailAddress } from "../keys/ApiKey.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { orUserError } from "./UserFailures.ts"

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

const keyName = Argument.String("key").pipe(Argument.withDescription("The id of the key, or its prefix as in the list"))

const nonEmpty = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200))

const time = (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))

const withApplication = <A, E>(command: Effect.Effect<A, E, ApiKeys | Credits>) =>
  command.pipe(Effect.provide(Application.layer), orUserError)

/** A key for the operator: everything but the hash of its secret. */
const view = Effect.fnUntraced(function* (key: ApiKey) {
  const credits = yield* Credits
  const { requests } = yield* credits.usage(key.id)
  const { granted, remaining } = yield* credits.balance(key.id)
  return {
    id: key.id,
    prefix: key.secretPrefix,
    state: key.state,
    plan: key.plan,
    credits_remaining: remaining,
    credits_granted: granted,
    requests_this_month: requests,
    name: key.owner.name,
    email: key.owner.email,
    company: key.owner.company,
    created_at: time(key.createdAt)
  }
})

const entryView = ({ balanceAfter, createdAt, delta, kind, reference }: LedgerEntry) => ({
  time: time(createdAt),
  kind,
  delta,
  balance_after: balanceAfter,
  reference
})

type Record_ = Readonly<Record<string, string | number>>

/** One line a field. */
const fields = (record: Record_): string => {
  const width = Math.max(...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${value}`)
    .join("\n")
}

/** One line a record, in columns. */
const table = (records: ReadonlyArray<Record_>): string => {
  const names = Object.keys(records[0] ?? {})
  const rows = [names, ...records.map((record) => names.map((name) => String(record[name] ?? "")))]
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

const print = (asJson: boolean, value: unknown, text: string) =>
  Console.log(asJson ? JSON.stringify(value, null, 2) : text)

const issue = Command.make(
  "issue",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the owner"), Flag.withSchema(nonEmpty)),
    email: Flag.String("email").pipe(
      Flag.withDescription("Address of the owner"),
      Flag.map((address) => address.trim().toLowerCase()),
      Flag.withSchema(EmailAddress)
    ),
    company: Flag.String("company").pipe(Flag.withDescription("Company of the owner"), Flag.withSchema(nonEmpty)),
    credits: Flag.Int("credits").pipe(
      Flag.withDescription("Credits to start with"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))),
      Flag.withDefault(previewCredits)
    ),
    json
  },
  Effect.fnUntraced(function* ({ credits, json, ...owner }) {
    const apiKeys = yield* ApiKeys
    const { key, secret } = yield* apiKeys.issue(owner, credits)
    const shown = { ...(yield* view(key)), api_key: Redacted.value(secret) }
    yield* print(json, shown, `${fields(shown)}\n\nThis is the only time that the key is shown. Store it now.`)
  }, withApplication)
).pipe(Command.withDescription("Issue a usable key. Its secret is shown once."))

const list = Command.make(
  "list",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const apiKeys = yield* ApiKeys
    const keys = yield* Effect.forEach(yield* apiKeys.list, view)
    const rows = keys.map(({ company, created_at, credits_remaining, email, id, plan, prefix, state }) => ({
      id,
      prefix,
      state,
      plan,
      credits: credits_remaining,
      email,
      company,
      created_at
    }))
    yield* print(json, keys, keys.length === 0 ? "There are no keys." : table(rows))
  }, withApplication)
).pipe(Command.withDescription("List all keys, oldest first."))

const show = Command.make(
  "show",
  { key: keyName, json },
  Effect.fnUntraced(function* ({ json, key: name }) {
    const apiKeys = yield* ApiKeys
    const credits = yield* Credits
    const key = yield* apiKeys.find(name)
    const shown = yield* view(key)
    const ledger = (yield* credits.history(key.id, 20)).map(entryView)
    yield* print(
      json,
      { ...shown, ledger },
      `${fields(shown)}\n\nLast changes of its credits:\n${ledger.length === 0 ? "none" : table(ledger)}`
    )
  }, withApplication)
).pipe(Command.withDescription("Show a key, its credits and the last changes of them."))

const change = (
  name: string,
  description: string,
  run: (apiKeys: ApiKeys["Service"], key: string) => ReturnType<ApiKeys["Service"]["revoke"]>
) =>
  Command.make(
    name,
    { key: keyName, json },
    Effect.fnUntraced(function* ({ json, key }) {
      const shown = yield* view(yield* run(yield* ApiKeys, key))
      yield* print(json, shown, fields(shown))
    }, withApplication)
  ).pipe(Command.withDescription(description))

/** `keys`: what an operator does with keys. A change holds from the next request on, also in a running service. */
export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("Issue, list and change API keys."),
  Command.withSubcommands([
    issue,
    list,
    show,
    change("revoke", "Revoke a key for good.", (apiKeys, key) => apiKeys.revoke(key)),
    change("deactivate", "Deactivate a key's plan: its requests get 403.", (apiKeys, key) =>
      apiKeys.setPlan(key, "inactive")
    ),
    change("activate", "Activate a key's plan again.", (apiKeys, key) => apiKeys.setPlan(key, "active"))
  ])
)
