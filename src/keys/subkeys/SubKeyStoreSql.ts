import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { orDefect } from "../../database/Failures.ts"
import { KeyId, SubKeyId } from "../../KeyId.ts"
import { foldedName, type SubKey } from "./SubKey.ts"
import { SubKeyStore } from "./SubKeyStore.ts"

interface Row {
  readonly id: string
  readonly key_id: string
  readonly name: string
  readonly monthly_limit: number | null
  readonly secret_prefix: string
  readonly created_at: number
  readonly revoked_at: number | null
  readonly last_used_at: number | null
  readonly month: string | null
  readonly requests: number
}

const fromRow = (row: Row): SubKey => ({
  id: SubKeyId.make(row.id),
  keyId: KeyId.make(row.key_id),
  name: row.name,
  monthlyLimit: row.monthly_limit,
  secretPrefix: row.secret_prefix,
  createdAt: row.created_at,
  revokedAt: row.revoked_at ?? undefined,
  lastUsedAt: row.last_used_at ?? undefined,
  month: row.month ?? undefined,
  requests: row.requests
})

const changeable = ({ monthlyLimit, name, revokedAt, secretPrefix }: SubKey) => ({
  name,
  folded_name: foldedName(name),
  monthly_limit: monthlyLimit,
  secret_prefix: secretPrefix,
  revoked_at: revokedAt ?? null
})

/** Sub-keys in the table `sub_keys`. */
export const layer = Layer.effect(
  SubKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const many = (rows: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) =>
      orDefect(Effect.map(rows, (found) => found.map(fromRow)))
    return SubKeyStore.of({
      insert: (subKey) => {
        const { createdAt, id, keyId } = subKey
        const row = { id, key_id: keyId, created_at: createdAt, ...changeable(subKey) }
        return orDefect(Effect.asVoid(sql`INSERT INTO sub_keys ${sql.insert(row)}`))
      },
      update: (subKey) =>
        orDefect(Effect.asVoid(sql`UPDATE sub_keys SET ${sql.update(changeable(subKey))} WHERE id = ${subKey.id}`)),
      findById: (id) =>
        Effect.map(many(sql<Row>`SELECT * FROM sub_keys WHERE id = ${id}`), ([found]) => Option.fromUndefinedOr(found)),
      findByPrefix: (prefix) =>
        many(sql<Row>`SELECT * FROM sub_keys WHERE secret_prefix = ${prefix} ORDER BY created_at, id`),
      listOf: (keyId) => many(sql<Row>`SELECT * FROM sub_keys WHERE key_id = ${keyId} ORDER BY created_at, id`)
    })
  })
)
