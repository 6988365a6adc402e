import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { orDefect } from "../database/Database.ts"
import { type ApiKey, KeyId, type KeyState, type Plan } from "./ApiKey.ts"
import { KeyStore } from "./KeyStore.ts"

type Row = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly company: string
  readonly plan: Plan
  readonly state: KeyState
  readonly is_demo: number
  readonly secret_hash: string
  readonly secret_prefix: string
  readonly created_at: number
}

const toRow = ({ createdAt, id, isDemo, owner, plan, secretHash, secretPrefix, state }: ApiKey): Row => ({
  id,
  name: owner.name,
  email: owner.email,
  company: owner.company,
  plan,
  state,
  is_demo: isDemo ? 1 : 0,
  secret_hash: secretHash,
  secret_prefix: secretPrefix,
  created_at: createdAt
})

const fromRow = (row: Row): ApiKey => ({
  id: KeyId.make(row.id),
  owner: { name: row.name, email: row.email, company: row.company },
  plan: row.plan,
  state: row.state,
  isDemo: row.is_demo === 1,
  secretHash: row.secret_hash,
  secretPrefix: row.secret_prefix,
  createdAt: row.created_at
})

/** Key records in the table `api_keys`. */
export const layer = Layer.effect(
  KeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const many = (rows: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) =>
      orDefect(Effect.map(rows, (found) => found.map(fromRow)))
    const one = (rows: Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) =>
      orDefect(Effect.map(rows, (found) => Option.map(Option.fromUndefinedOr(found[0]), fromRow)))
    return KeyStore.of({
      insert: (key) => orDefect(Effect.asVoid(sql`INSERT INTO api_keys ${sql.insert(toRow(key))}`)),
      update: (key) =>
        orDefect(Effect.asVoid(sql`UPDATE api_keys SET ${sql.update(toRow(key), ["id"])} WHERE id = ${key.id}`)),
      findById: (id) => one(sql<Row>`SELECT * FROM api_keys WHERE id = ${id}`),
      findBySecretHash: (hash) => one(sql<Row>`SELECT * FROM api_keys WHERE secret_hash = ${hash}`),
      findByPrefix: (prefix) =>
        many(sql<Row>`SELECT * FROM api_keys WHERE secret_prefix = ${prefix} ORDER BY created_at, id`),
      findLiveByEmail: (email) => one(sql<Row>`SELECT * FROM api_keys WHERE email = ${email} AND state <> 'revoked'`),
      findDemo: one(sql<Row>`SELECT * FROM api_keys WHERE is_demo = 1`),
      list: many(sql<Row>`SELECT * FROM api_keys ORDER BY created_at, id`)
    })
  })
)
