import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

// The normal form of addresses as it was when this migration was written: what it has made of a database must not depend on
// what becomes of the rule.

/** Domains under which a provider delivers to the same mailboxes, each with the one that stands for all. */
const sameMailboxes: ReadonlyMap<string, string> = new Map([
  ["googlemail.com", "gmail.com"],
  ["protonmail.com", "proton.me"],
  ["pm.me", "proton.me"],
  ["me.com", "icloud.com"],
  ["mac.com", "icloud.com"]
])

/** Providers that ignore dots before the @. */
const ignoresDots: ReadonlySet<string> = new Set(["gmail.com", "proton.me"])

/**
 * The host of an address in ASCII and lower case (UTS #46, as browsers do it): the same for all spellings of an
 * international name. Undefined for what cannot be a host: a label that is empty or longer than 63 characters, an IP
 * address.
 */
const asciiHost = (host: string): string | undefined => {
  const ascii = URL.parse(`http://${host}`)?.hostname
  if (ascii === undefined || ascii.length > 253) return undefined
  const labels = ascii.split(".")
  return labels.every((label) => label.length > 0 && label.length <= 63) && !/^\d+$/.test(labels.at(-1) ?? "")
    ? ascii
    : undefined
}

/**
 * The normal form of an address: the same for all spellings by which mail reaches one mailbox. Unicode is normalised
 * (NFKC), letters are lowered, the host is in ASCII, and what follows `+` is off, as are the dots that the provider
 * ignores. Only for comparison: mail goes to the address as it was typed.
 */
export const mailboxOf = (address: string): string => {
  const text = address.normalize("NFKC").toLowerCase()
  const at = text.lastIndexOf("@")
  const host = text.slice(at + 1)
  const domain = asciiHost(host) ?? host
  const provider = sameMailboxes.get(domain) ?? domain
  const user = text.slice(0, Math.max(at, 0))
  const untagged = user.replace(/(?<=.)\+.*$/s, "")
  return `${ignoresDots.has(provider) ? untagged.replaceAll(".", "") : untagged}@${provider}`
}

/** How many keys get their mailbox at a time. */
const atOnce = 1000

/**
 * Keys get the normal form of their address, and addresses are kept as they were typed: they are the same where they
 * differ in nothing but case. Two keys of one mailbox that are there already both stay.
 */
export const mailboxes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { tableOf, text } = dialectOf(sql)
  yield* sql`ALTER TABLE api_keys ADD COLUMN mailbox ${text} NOT NULL DEFAULT ''`
  for (let last = ""; ;) {
    const keys = yield* sql<{ readonly id: string; readonly email: string }>`
      SELECT id, email FROM api_keys WHERE id > ${last} ORDER BY id LIMIT ${atOnce}`
    const end = keys.at(-1)
    if (end === undefined) break
    const found = keys.map(({ email, id }) => ({ id, mailbox: mailboxOf(email) }))
    yield* sql`
      UPDATE api_keys SET mailbox = found.mailbox
      FROM ${tableOf(found, "found", { id: "text", mailbox: "text" })} WHERE api_keys.id = found.id`
    last = end.id
  }
  yield* sql`CREATE INDEX api_keys_mailbox ON api_keys (mailbox)`
  yield* sql`DROP INDEX api_keys_live_email`
  yield* sql`CREATE UNIQUE INDEX api_keys_live_email ON api_keys (lower(email))
    WHERE state <> 'revoked' AND is_demo = 0`
})
