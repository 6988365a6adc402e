import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Erasure } from "../../../src/extensions/privacy/Erasure.ts"
import type { KeyId } from "../../../src/KeyStatus.ts"
import { mailboxOf } from "../../../src/keys/Mailbox.ts"
import type { Action, Known } from "../../simulate/Action.ts"
import { tableNames } from "../../simulate/Database.ts"
import type { Part, SimulatedExtension } from "../../simulate/Part.ts"
import { people } from "../../simulate/People.ts"
import { hold } from "../../simulate/Steps.ts"

/** The texts that identify a person, in lower case, by mailbox. */
const traces = new Map(
  people.map(({ addresses, company, name }) => [
    mailboxOf(addresses[0] ?? ""),
    [name, company, ...addresses].map((text) => text.toLowerCase())
  ])
)

/** The operator erases all data of the owner. */
const erase = ({ keyId }: Known): Action => ({
  name: `erase ${keyId}`,
  run: Effect.flatMap(Erasure, ({ erase }) => Effect.result(erase(keyId, "operator")))
})

/** Checks that no table contains data of the people with these mailboxes. */
const checkErased = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, mailboxes: ReadonlySet<string>) {
  const erased = [...mailboxes].flatMap((mailbox) => traces.get(mailbox) ?? [])
  if (erased.length === 0) return
  for (const name of tableNames) {
    for (const row of yield* sql`SELECT * FROM ${sql(name)}`) {
      const text = JSON.stringify(row).toLowerCase()
      const found = erased.find((trace) => text.includes(trace))
      hold(found === undefined, `“${found}” was erased, and is in ${name}: ${text}`)
    }
  }
})

/** The erasure of people, of whom nothing may be left until they return. */
export const privacy = {
  part: ({ outside, sql }): Part => {
    /** The mailboxes of people who were erased and have not returned. */
    const erased = new Set<string>()
    /** The erased keys: erasing one again erases nobody. */
    const erasedKeys = new Set<KeyId>()

    /** Notes that the owner of a key was erased, with all of its keys. */
    const noteErased = (keyId: KeyId) => {
      const mailbox = outside.mailboxes.get(keyId)
      if (mailbox === undefined || erasedKeys.has(keyId)) return
      erased.add(mailbox)
      for (const [id, other] of outside.mailboxes) {
        if (other !== mailbox) continue
        erasedKeys.add(id)
        outside.revoked.add(id)
      }
    }

    return {
      drawn: [{ weight: 1, action: (known) => known && erase(known) }],
      committed: Effect.fnUntraced(function* ({ brings }) {
        if (brings !== undefined) erased.delete(brings)
        const entries = yield* sql<{ readonly keyId: KeyId }>`SELECT key_id FROM audit_log WHERE action = 'erased'`
        for (const { keyId } of entries) noteErased(keyId)
        yield* checkErased(sql, erased)
      })
    }
  }
} as const satisfies SimulatedExtension
