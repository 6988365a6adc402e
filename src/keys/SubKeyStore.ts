import { Array, Clock, Context, Effect, Layer, type Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { KeyId, SubKeyId } from "../KeyStatus.ts"
import { foldedName, SubKey } from "./SubKey.ts"
import { monthOf } from "../text/Times.ts"
import { subKeyRequests } from "../credits/DebitsSql.ts"
import { execute, findAll, toRow } from "../database/Statements.ts"

/** At most this many sub-keys, after the given one in the list. */
export interface SubKeysPage {
  readonly limit: number
  readonly after?: Pick<SubKey, "createdAt" | "id"> | undefined
}

/** The name of sub-keys whose owner was erased. */
const erasedName = "erased"

const changeable = ({ monthlyLimit, name, revokedAt, secretPrefix }: SubKey) =>
  toRow({ name, foldedName: foldedName(name), monthlyLimit, secretPrefix, revokedAt })

/** Stores sub-keys. The folded names of the usable ones of a key are unique; a duplicate is a defect. */
export class SubKeyStore extends Context.Service<
  SubKeyStore,
  {
    readonly insert: (subKey: SubKey) => Effect.Effect<void>
    /** Replaces name, limit, prefix and revocation of the record with the same ID; the ledger records its spending. */
    readonly update: (subKey: SubKey) => Effect.Effect<void>
    readonly findById: (id: SubKeyId) => Effect.Effect<Option.Option<SubKey>>
    /** The sub-keys with this shown prefix. */
    readonly findByPrefix: (prefix: string) => Effect.Effect<ReadonlyArray<SubKey>>
    /** The usable sub-keys of a key, oldest first. */
    readonly usableOf: (keyId: KeyId) => Effect.Effect<ReadonlyArray<SubKey>>
    /** The sub-keys of a key that are usable or were revoked after a time, oldest first. */
    readonly listOf: (keyId: KeyId, revokedAfter: number, page: SubKeysPage) => Effect.Effect<ReadonlyArray<SubKey>>
    /** Revokes all sub-keys of a key and removes their names. */
    readonly eraseOf: (keyId: KeyId, at: number) => Effect.Effect<void>
  }
>()("outreach-forecast/keys/SubKeyStore") {
  /** Sub-keys in the table `sub_keys`. */
  static readonly layer = Layer.effect(
    SubKeyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const select = (condition: Statement.Fragment, limit = sql``) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const month = monthOf(now)
          return findAll(
            SubKey,
            sql`
              SELECT s.id, s.key_id, s.name, s.monthly_limit, s.secret_prefix, s.created_at, s.revoked_at, s.last_used_at,
                ${month} AS month, ${subKeyRequests(sql, month)} AS requests
              FROM sub_keys s WHERE ${condition} ORDER BY s.created_at, s.id ${limit}`
          )
        })
      return SubKeyStore.of({
        insert: (subKey) => {
          const { createdAt, id, keyId } = subKey
          return execute(sql`INSERT INTO sub_keys ${sql.insert({ id, keyId, createdAt, ...changeable(subKey) })}`)
        },
        update: (subKey) => execute(sql`UPDATE sub_keys SET ${sql.update(changeable(subKey))} WHERE id = ${subKey.id}`),
        findById: (id) => Effect.map(select(sql`s.id = ${id}`), Array.head),
        findByPrefix: (prefix) => select(sql`s.secret_prefix = ${prefix}`),
        usableOf: (keyId) => select(sql`s.key_id = ${keyId} AND s.revoked_at IS NULL`),
        listOf: (keyId, revokedAfter, { after, limit }) =>
          select(
            sql.and([
              sql`s.key_id = ${keyId}`,
              sql`(s.revoked_at IS NULL OR s.revoked_at > ${revokedAfter})`,
              ...(after === undefined ? [] : [sql`(s.created_at, s.id) > (${after.createdAt}, ${after.id})`])
            ]),
            sql`LIMIT ${limit}`
          ),
        eraseOf: (keyId, at) =>
          execute(sql`
            UPDATE sub_keys SET name = ${erasedName}, folded_name = ${erasedName}, revoked_at = coalesce(revoked_at, ${at})
            WHERE key_id = ${keyId}`)
      })
    })
  )
}
