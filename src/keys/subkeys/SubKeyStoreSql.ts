import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { all, first, fromRow, type Row, run, toRow } from "../../database/Rows.ts"
import { foldedName, type SubKey } from "./SubKey.ts"
import { SubKeyStore } from "./SubKeyStore.ts"

/** The sub-key of a row. Without a limit, `monthlyLimit` is null, not undefined. */
const subKeyOf = (row: Row<SubKey> & { readonly foldedName: string }): SubKey => {
  const { foldedName: _, monthlyLimit, ...others } = row
  return { ...fromRow<Omit<SubKey, "monthlyLimit">>(others), monthlyLimit }
}

const changeable = ({ monthlyLimit, name, revokedAt, secretPrefix }: SubKey) =>
  toRow({ name, foldedName: foldedName(name), monthlyLimit, secretPrefix, revokedAt })

/** Sub-keys in the table `sub_keys`. */
export const layer = Layer.effect(
  SubKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const select = (condition: Statement.Fragment) =>
      sql<Parameters<typeof subKeyOf>[0]>`SELECT * FROM sub_keys WHERE ${condition} ORDER BY created_at, id`
    return SubKeyStore.of({
      insert: (subKey) => {
        const { createdAt, id, keyId } = subKey
        return run(sql`INSERT INTO sub_keys ${sql.insert({ id, keyId, createdAt, ...changeable(subKey) })}`)
      },
      update: (subKey) => run(sql`UPDATE sub_keys SET ${sql.update(changeable(subKey))} WHERE id = ${subKey.id}`),
      findById: (id) => first(select(sql`id = ${id}`), subKeyOf),
      findByPrefix: (prefix) => all(select(sql`secret_prefix = ${prefix}`), subKeyOf),
      listOf: (keyId) => all(select(sql`key_id = ${keyId}`), subKeyOf)
    })
  })
)
