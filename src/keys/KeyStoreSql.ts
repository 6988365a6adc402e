import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { cellsOf, dialectOf } from "../database/Dialect.ts"
import type { Expiring } from "../database/Expiring.ts"
import { orDefect } from "../database/Failures.ts"
import { type ApiKey, isSameAddress, type KeySecretRecord, type KeyState, type Plan } from "./ApiKey.ts"
import { KeyId, SubKeyId } from "../KeyId.ts"
import { type FoundSecret, KeyStore } from "./KeyStore.ts"
import { mailboxOf } from "./Mailbox.ts"

type KeyRow = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly company: string
  readonly plan: Plan
  readonly state: KeyState
  readonly is_demo: number
  readonly secret_prefix: string
  readonly created_at: number
  /** The normal form of `email`. */
  readonly mailbox: string
}

const toKeyRow = ({ createdAt, id, isDemo, owner, plan, secretPrefix, state }: ApiKey): KeyRow => ({
  id,
  name: owner.name,
  email: owner.email,
  company: owner.company,
  plan,
  state,
  is_demo: isDemo ? 1 : 0,
  secret_prefix: secretPrefix,
  created_at: createdAt,
  mailbox: mailboxOf(owner.email)
})

const fromKeyRow = (row: Omit<KeyRow, "mailbox">): ApiKey => ({
  id: KeyId.make(row.id),
  owner: { name: row.name, email: row.email, company: row.company },
  plan: row.plan,
  state: row.state,
  isDemo: row.is_demo === 1,
  secretPrefix: row.secret_prefix,
  createdAt: row.created_at
})

type SecretRow = {
  readonly hash: string
  readonly key_id: string
  readonly sub_key_id: string | null
  readonly prefix: string
  readonly link_id: string | null
  readonly secret_created_at: number
  readonly first_used_at: number | null
  readonly expires_at: number | null
}

const fromSecretRow = (row: SecretRow): KeySecretRecord => ({
  hash: row.hash,
  keyId: KeyId.make(row.key_id),
  subKeyId: row.sub_key_id === null ? undefined : SubKeyId.make(row.sub_key_id),
  prefix: row.prefix,
  linkId: row.link_id ?? undefined,
  createdAt: row.secret_created_at,
  firstUsedAt: row.first_used_at ?? undefined,
  expiresAt: row.expires_at ?? undefined
})

/** A secret with its sub-key, if it has one, and its key, as `findSecrets` selects them. */
type FoundCells = readonly [
  hash: SecretRow["hash"],
  prefix: SecretRow["prefix"],
  link_id: SecretRow["link_id"],
  secret_created_at: SecretRow["secret_created_at"],
  first_used_at: SecretRow["first_used_at"],
  expires_at: SecretRow["expires_at"],
  sub_key_id: SecretRow["sub_key_id"],
  sub_key_name: string | null,
  monthly_limit: number | null,
  revoked_at: number | null,
  id: KeyRow["id"],
  name: KeyRow["name"],
  email: KeyRow["email"],
  company: KeyRow["company"],
  plan: KeyRow["plan"],
  state: KeyRow["state"],
  is_demo: KeyRow["is_demo"],
  secret_prefix: KeyRow["secret_prefix"],
  created_at: KeyRow["created_at"]
]

const fromFoundCells = (cells: FoundCells): readonly [string, FoundSecret] => {
  const [hash, prefix, link_id, secret_created_at, first_used_at, expires_at, ...holderCells] = cells
  const [sub_key_id, subKeyName, monthlyLimit, revokedAt, ...keyCells] = holderCells
  const [id, name, email, company, plan, state, is_demo, secret_prefix, created_at] = keyCells
  const secret = fromSecretRow({
    hash,
    key_id: id,
    sub_key_id,
    prefix,
    link_id,
    secret_created_at,
    first_used_at,
    expires_at
  })
  const key = fromKeyRow({ id, name, email, company, plan, state, is_demo, secret_prefix, created_at })
  const subKey =
    secret.subKeyId === undefined
      ? undefined
      : { id: secret.subKeyId, name: subKeyName ?? "", monthlyLimit, revokedAt: revokedAt ?? undefined }
  return [hash, { secret, key, subKey }]
}

/** Secrets that were replaced, at the end of their grace period. */
export const expiring: Expiring = { table: "key_secrets", id: "hash", column: "expires_at", lifetime: 0 }

/** Key records in the table `api_keys`, their secrets in `key_secrets`. */
export const layer = Layer.effect(
  KeyStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { tableOf } = dialectOf(sql)
    const many = (rows: Effect.Effect<ReadonlyArray<KeyRow>, SqlError.SqlError>) =>
      orDefect(Effect.map(rows, (found) => found.map(fromKeyRow)))
    const one = (rows: Effect.Effect<ReadonlyArray<KeyRow>, SqlError.SqlError>) =>
      Effect.map(many(rows), ([first]) => Option.fromUndefinedOr(first))
    const findByMailbox = (mailbox: string) =>
      many(sql<KeyRow>`SELECT * FROM api_keys WHERE mailbox = ${mailbox} ORDER BY created_at, id`)
    const secretColumns = sql.literal(
      "s.hash, s.key_id, s.sub_key_id, s.prefix, s.link_id, s.created_at AS secret_created_at, s.first_used_at, s.expires_at"
    )
    /** The secrets of a key itself, or those of one of its sub-keys. */
    const areOf = (keyId: KeyId, subKeyId: SubKeyId | undefined) =>
      sql`key_id = ${keyId} AND sub_key_id IS NOT DISTINCT FROM ${subKeyId ?? null}`
    return KeyStore.of({
      insert: (key) => orDefect(Effect.asVoid(sql`INSERT INTO api_keys ${sql.insert(toKeyRow(key))}`)),
      update: (key) =>
        orDefect(Effect.asVoid(sql`UPDATE api_keys SET ${sql.update(toKeyRow(key), ["id"])} WHERE id = ${key.id}`)),
      findById: (id) => one(sql<KeyRow>`SELECT * FROM api_keys WHERE id = ${id}`),
      findByPrefix: (prefix) =>
        many(sql<KeyRow>`
          SELECT * FROM api_keys
          WHERE secret_prefix = ${prefix}
            OR id IN (SELECT key_id FROM key_secrets WHERE prefix = ${prefix} AND sub_key_id IS NULL)
          ORDER BY created_at, id`),
      findByEmail: (email) =>
        Effect.map(findByMailbox(mailboxOf(email)), (keys) =>
          keys.filter(({ owner }) => isSameAddress(owner.email, email))
        ),
      findByMailbox,
      findDemo: one(sql<KeyRow>`SELECT * FROM api_keys WHERE is_demo = 1`),
      list: many(sql<KeyRow>`SELECT * FROM api_keys ORDER BY created_at, id`),
      findSecrets: (hashes) =>
        orDefect(
          Effect.map(
            cellsOf<FoundCells>(
              sql`
                SELECT s.hash, s.prefix, s.link_id, s.created_at, s.first_used_at, s.expires_at,
                  u.id, u.name, u.monthly_limit, u.revoked_at, k.id, k.name, k.email, k.company, k.plan, k.state, k.is_demo, k.secret_prefix, k.created_at
                FROM ${tableOf(
                  hashes.map((hash) => ({ hash })),
                  "asked",
                  { hash: "text" }
                )}
                JOIN key_secrets s ON s.hash = asked.hash JOIN api_keys k ON k.id = s.key_id
                LEFT JOIN sub_keys u ON u.id = s.sub_key_id`,
              19
            ),
            (rows) => new Map(rows.map(fromFoundCells))
          )
        ),
      secretsOf: (keyId, subKeyId) =>
        orDefect(
          Effect.map(
            sql<SecretRow>`
              SELECT ${secretColumns} FROM key_secrets s WHERE ${areOf(keyId, subKeyId)} ORDER BY s.created_at, s.hash`,
            (rows) => rows.map(fromSecretRow)
          )
        ),
      putSecret: ({ createdAt, expiresAt, firstUsedAt, hash, keyId, linkId, prefix, subKeyId }) =>
        orDefect(
          Effect.asVoid(sql`
            INSERT INTO key_secrets (hash, key_id, sub_key_id, prefix, link_id, created_at, first_used_at, expires_at)
            VALUES (${hash}, ${keyId}, ${subKeyId ?? null}, ${prefix}, ${linkId ?? null}, ${createdAt},
              ${firstUsedAt ?? null}, ${expiresAt ?? null})
            ON CONFLICT (hash) DO UPDATE SET
              first_used_at = excluded.first_used_at, expires_at = excluded.expires_at`)
        ),
      deleteSecret: (hash) => orDefect(Effect.asVoid(sql`DELETE FROM key_secrets WHERE hash = ${hash}`)),
      endSecrets: (keyId, at, now, subKeyId) =>
        orDefect(
          Effect.asVoid(
            Effect.andThen(
              sql`DELETE FROM key_secrets WHERE ${areOf(keyId, subKeyId)} AND (expires_at <= ${now} OR ${at} <= ${now})`,
              sql`
                UPDATE key_secrets SET expires_at = ${at}
                WHERE ${areOf(keyId, subKeyId)} AND (expires_at IS NULL OR expires_at > ${at})`
            )
          )
        )
    })
  })
)
