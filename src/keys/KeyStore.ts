import { Array, Context, Effect, Layer, Option, Schema, SchemaTransformation, Stream, Struct } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { ApiKey, KeySecretRecord, StoredOwner } from "./ApiKey.ts"
import type { KeyId, KeyPlan, KeyState, SubKeyId } from "../KeyStatus.ts"
import { mailboxOf } from "./Mailbox.ts"
import type { SecretSubKey } from "./SubKey.ts"
import { cellsOf, dialectOf, execute, type Expiring, findAll, toRow } from "../database/Statements.ts"
import { orDefect } from "../database/Failures.ts"

/** A secret with the key that it belongs to, and its sub-key if it is the secret of one. */
export interface FoundSecret {
  readonly secret: KeySecretRecord
  readonly key: ApiKey
  readonly subKey: SecretSubKey | undefined
}

/** A key as `api_keys` has it, with the columns of its owner; `mailbox` is the normal form of its address. */
const KeyRow = Schema.Struct({
  ...Struct.omit(ApiKey.fields, ["owner"]),
  ...StoredOwner.fields,
  isDemo: Schema.BooleanFromBit,
  mailbox: Schema.String
}).pipe(
  Schema.decodeTo(
    Schema.toType(ApiKey),
    SchemaTransformation.transform({
      decode: ({ company, email, name, ...key }): ApiKey => ({ ...key, owner: { name, email, company } }),
      encode: ({ owner, ...key }) => ({ ...key, ...owner, mailbox: mailboxOf(owner.email) })
    })
  )
)

const toKeyRow = Schema.encodeSync(KeyRow)

/** A secret with its sub-key, if it has one, and its key, as `findSecrets` selects them. */
type FoundCells = readonly [
  hash: string,
  prefix: string,
  linkId: string | null,
  createdAt: number,
  firstUsedAt: number | null,
  expiresAt: number | null,
  subKeyId: SubKeyId | null,
  subKeyName: string | null,
  monthlyLimit: number | null,
  revokedAt: number | null,
  keyId: KeyId,
  name: string,
  email: string,
  company: string,
  keyPlan: KeyPlan,
  state: KeyState,
  isDemo: number,
  secretPrefix: string,
  keyCreatedAt: number
]

const fromFoundCells = (cells: FoundCells): readonly [string, FoundSecret] => {
  const [
    hash,
    prefix,
    linkId,
    createdAt,
    firstUsedAt,
    expiresAt,
    subKeyId,
    subKeyName,
    monthlyLimit,
    revokedAt,
    keyId,
    name,
    email,
    company,
    keyPlan,
    state,
    isDemo,
    secretPrefix,
    keyCreatedAt
  ] = cells
  const subKey =
    subKeyId === null
      ? undefined
      : { id: subKeyId, name: subKeyName ?? "", monthlyLimit, revokedAt: revokedAt ?? undefined }
  const secret: KeySecretRecord = {
    hash,
    keyId,
    subKeyId: subKey?.id,
    prefix,
    linkId: linkId ?? undefined,
    createdAt,
    firstUsedAt: firstUsedAt ?? undefined,
    expiresAt: expiresAt ?? undefined
  }
  const key: ApiKey = {
    id: keyId,
    owner: { name, email, company },
    plan: keyPlan,
    state,
    isDemo: isDemo === 1,
    secretPrefix,
    createdAt: keyCreatedAt
  }
  return [hash, { secret, key, subKey }]
}

/** The keys of a list that are read at a time. */
const pageSize = 1000

/** Secrets that were replaced, at the end of their grace period. */
export const expiring: Expiring = { table: "key_secrets", id: "hash", column: "expires_at", lifetime: 0 }

/**
 * Stores key records and their secrets. Secrets are unique, and so are the addresses of live keys; writing a duplicate
 * is a defect.
 */
export class KeyStore extends Context.Service<
  KeyStore,
  {
    readonly insert: (key: ApiKey) => Effect.Effect<void>
    /** Replaces the record with the same id. */
    readonly update: (key: ApiKey) => Effect.Effect<void>
    readonly findById: (id: KeyId) => Effect.Effect<Option.Option<ApiKey>>
    /** The record with an ID that is from a record: none is ever deleted. Dies if there is none. */
    readonly get: (id: KeyId) => Effect.Effect<ApiKey>
    /** The records with a secret of their own with this shown prefix. */
    readonly findByPrefix: (prefix: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** The records of an address, ignoring case, including revoked ones, oldest first. */
    readonly findByEmail: (email: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** The records of all addresses with this normal form, as `findByEmail`. */
    readonly findByMailbox: (mailbox: string) => Effect.Effect<ReadonlyArray<ApiKey>>
    readonly findDemo: Effect.Effect<Option.Option<ApiKey>>
    /** All records, oldest first, which are read a thousand at a time. */
    readonly list: Stream.Stream<ApiKey>
    /** The existing secrets with these hashes, by hash. */
    readonly findSecrets: (hashes: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, FoundSecret>>
    /** The secrets of a key, without those of its sub-keys, oldest first. */
    readonly secretsOf: (keyId: KeyId) => Effect.Effect<ReadonlyArray<KeySecretRecord>>
    /** Adds a secret, or replaces the one with the same hash. */
    readonly putSecret: (secret: KeySecretRecord) => Effect.Effect<void>
    readonly deleteSecret: (hash: string) => Effect.Effect<void>
    /** Deletes all secrets of a key and of its sub-keys. */
    readonly deleteSecretsOf: (keyId: KeyId) => Effect.Effect<void>
    /**
     * Makes the secrets of a key, or of one of its sub-keys, end at a time, unless they end before, and deletes those
     * that have ended by `now`.
     */
    readonly endSecrets: (keyId: KeyId, at: number, now: number, subKeyId?: SubKeyId) => Effect.Effect<void>
  }
>()("outreach-forecast/keys/KeyStore") {
  /** Key records in the table `api_keys`, their secrets in `key_secrets`. */
  static readonly layer = Layer.effect(
    KeyStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { tableOf } = dialectOf(sql)
      const keysWhere = (condition: Statement.Fragment) =>
        findAll(KeyRow, sql`SELECT * FROM api_keys WHERE ${condition} ORDER BY created_at, id`)
      const keyWhere = (condition: Statement.Fragment) => Effect.map(keysWhere(condition), Array.head)
      const findByMailbox = (mailbox: string) => keysWhere(sql`mailbox = ${mailbox}`)
      /** The secrets of a key itself, or those of one of its sub-keys. */
      const areOf = (keyId: KeyId, subKeyId: SubKeyId | undefined) =>
        sql`key_id = ${keyId} AND sub_key_id IS NOT DISTINCT FROM ${subKeyId ?? null}`
      return KeyStore.of({
        insert: (key) => execute(sql`INSERT INTO api_keys ${sql.insert(toKeyRow(key))}`),
        update: (key) => execute(sql`UPDATE api_keys SET ${sql.update(toKeyRow(key), ["id"])} WHERE id = ${key.id}`),
        findById: (id) => keyWhere(sql`id = ${id}`),
        get: (id) =>
          Effect.flatMap(keysWhere(sql`id = ${id}`), ([key]) =>
            key === undefined ? Effect.die(new Error(`There is no key ${id}`)) : Effect.succeed(key)
          ),
        findByPrefix: (prefix) =>
          keysWhere(sql`
            (secret_prefix = ${prefix}
              OR id IN (SELECT key_id FROM key_secrets WHERE prefix = ${prefix} AND sub_key_id IS NULL))`),
        findByEmail: (email) =>
          Effect.map(findByMailbox(mailboxOf(email)), (keys) =>
            keys.filter(({ owner }) => owner.email.toLowerCase() === email.toLowerCase())
          ),
        findByMailbox,
        findDemo: keyWhere(sql`is_demo = 1`),
        list: Stream.paginate(
          sql`true`,
          Effect.fnUntraced(function* (isNext: Statement.Fragment) {
            const page = yield* findAll(
              KeyRow,
              sql`SELECT * FROM api_keys WHERE ${isNext} ORDER BY created_at, id LIMIT ${pageSize}`
            )
            const last = page.length < pageSize ? undefined : page.at(-1)
            return [
              page,
              Option.map(
                Option.fromUndefinedOr(last),
                ({ createdAt, id }) => sql`(created_at, id) > (${createdAt}, ${id})`
              )
            ] as const
          })
        ),
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
        secretsOf: (keyId) =>
          findAll(
            KeySecretRecord,
            sql`SELECT * FROM key_secrets WHERE ${areOf(keyId, undefined)} ORDER BY created_at, hash`
          ),
        putSecret: (secret) =>
          execute(sql`
            INSERT INTO key_secrets ${sql.insert(toRow(secret))}
            ON CONFLICT (hash) DO UPDATE SET
              first_used_at = excluded.first_used_at, expires_at = excluded.expires_at`),
        deleteSecret: (hash) => execute(sql`DELETE FROM key_secrets WHERE hash = ${hash}`),
        deleteSecretsOf: (keyId) => execute(sql`DELETE FROM key_secrets WHERE key_id = ${keyId}`),
        endSecrets: (keyId, at, now, subKeyId) =>
          execute(
            Effect.andThen(
              sql`DELETE FROM key_secrets WHERE ${areOf(keyId, subKeyId)} AND (expires_at <= ${now} OR ${at} <= ${now})`,
              sql`
                UPDATE key_secrets SET expires_at = ${at}
                WHERE ${areOf(keyId, subKeyId)} AND (expires_at IS NULL OR expires_at > ${at})`
            )
          )
      })
    })
  )
}
