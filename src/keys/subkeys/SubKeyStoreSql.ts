import { Clock, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { subKeyRequests } from "../../credits/DebitsSql.ts"
import { all, first, fromRow, type Row, run, toRow } from "../../database/Rows.ts"
import { monthOf } from "../../text/Times.ts"
import { foldedName, type SubKey } from "./SubKey.ts"
import { erasedName, SubKeyStore } from "./SubKeyStore.ts"

/** The sub-key of a row. Without a limit, `monthlyLimit` is null, not undefined. */
const subKeyOf = ({ monthlyLimit, ...others }: Row<SubKey>): SubKey => ({
  ...fromRow<Omit<SubKey, "monthlyLimit">>(others),
  monthlyLimit
})

const changeable = ({ monthlyLimit, name, revokedAt, secretPrefix }: SubKey) =>
  toRow({ name, foldedName: foldedName(name), monthlyLimit, secretPrefix, revokedAt })

/** Sub-keys in the table `sub_keys`. */
export const layer = Layer.effect(
  SubKeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const select = (condition: Statement.Fragment, limit = sql``) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const month = monthOf(now)
        return sql<Row<SubKey>>`
          SELECT s.id, s.key_id, s.name, s.monthly_limit, s.secret_prefix, s.created_at, s.revoked_at, s.last_used_at,
            ${month} AS month, ${subKeyRequests(sql, month)} AS requests
          FROM sub_keys s WHERE ${condition} ORDER BY s.created_at, s.id ${limit}`
      })
    return SubKeyStore.of({
      insert: (subKey) => {
        const { createdAt, id, keyId } = subKey
        return run(sql`INSERT INTO sub_keys ${sql.insert({ id, keyId, createdAt, ...changeable(subKey) })}`)
      },
      update: (subKey) => run(sql`UPDATE sub_keys SET ${sql.update(changeable(subKey))} WHERE id = ${subKey.id}`),
      findById: (id) => first(select(sql`s.id = ${id}`), subKeyOf),
      findByPrefix: (prefix) => all(select(sql`s.secret_prefix = ${prefix}`), subKeyOf),
      usableOf: (keyId) => all(select(sql`s.key_id = ${keyId} AND s.revoked_at IS NULL`), subKeyOf),
      listOf: (keyId, revokedAfter, { after, limit }) =>
        all(
          select(
            sql.and([
              sql`s.key_id = ${keyId}`,
              sql`(s.revoked_at IS NULL OR s.revoked_at > ${revokedAfter})`,
              ...(after === undefined ? [] : [sql`(s.created_at, s.id) > (${after.createdAt}, ${after.id})`])
            ]),
            sql`LIMIT ${limit}`
          ),
          subKeyOf
        ),
      eraseOf: (keyId, at) =>
        run(sql`
          UPDATE sub_keys SET name = ${erasedName}, folded_name = ${erasedName}, revoked_at = coalesce(revoked_at, ${at})
          WHERE key_id = ${keyId}`)
    })
  })
)
