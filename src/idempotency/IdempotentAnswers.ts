import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dayLength } from "../text/Times.ts"
import { dialectOf, execute, type Expiring, findAll } from "../database/Statements.ts"

/** Identifies a request and its retries. */
export interface IdempotentRequest {
  /** The owner of the idempotency keys: the ID of an API key, or the address of a caller without one. */
  readonly scope: string
  /** Method and path. */
  readonly operation: string
  /** The Idempotency-Key that the caller chose. */
  readonly key: string
  /** The SHA-256 of the decoded request: equal for requests with the same meaning, however they are spelled. */
  readonly fingerprint: string
}

/** The answer to a request, kept for retries; milliseconds UTC. */
export interface IdempotentAnswer extends IdempotentRequest {
  readonly answer: string
  readonly createdAt: number
}

/** The lifetime of a stored answer, in milliseconds. */
export const answerLifetime = dayLength

const toAnswerRow = ({ key, ...answer }: IdempotentAnswer) => ({ ...answer, idempotencyKey: key })

/** The answer to the request at a position. */
const FoundAnswer = Schema.Struct({
  position: Schema.Int,
  fingerprint: Schema.String,
  answer: Schema.String,
  createdAt: Schema.Int
})

/** IDs grow with time, so no index by time is needed. */
export const expiring: Expiring = {
  table: "idempotent_answers",
  id: "id",
  column: "created_at",
  lifetime: answerLifetime,
  oldestFirst: "id"
}

/** The store of answers to requests with an Idempotency-Key. */
export class IdempotentAnswers extends Context.Service<
  IdempotentAnswers,
  {
    /** For each request, in order, the answer stored for its scope, operation and key after `since`, if any. */
    readonly find: (
      requests: ReadonlyArray<IdempotentRequest>,
      since: number
    ) => Effect.Effect<ReadonlyArray<IdempotentAnswer | undefined>>
    /** Stores answers; each replaces an older one for the same scope, operation and key. */
    readonly put: (answers: ReadonlyArray<IdempotentAnswer>) => Effect.Effect<void>
  }
>()("outreach-forecast/idempotency/IdempotentAnswers") {
  /** Answers in the table `idempotent_answers`. */
  static readonly layer = Layer.effect(
    IdempotentAnswers,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { isPostgres, tableOf } = dialectOf(sql)

      /** Replaces an old answer; the new one gets a new ID. */
      const replace = (rows: Arr.NonEmptyReadonlyArray<ReturnType<typeof toAnswerRow>>) =>
        isPostgres
          ? sql`
              INSERT INTO idempotent_answers ${sql.insert(rows)}
              ON CONFLICT (scope, operation, idempotency_key) DO UPDATE SET
                id = DEFAULT, fingerprint = excluded.fingerprint, answer = excluded.answer,
                created_at = excluded.created_at`
          : sql`INSERT OR REPLACE INTO idempotent_answers ${sql.insert(rows)}`

      return IdempotentAnswers.of({
        find: (requests, since) => {
          if (requests.length === 0) return Effect.succeed([])
          const asked = tableOf(
            requests.map(({ key, operation, scope }) => ({ scope, operation, idempotency_key: key })),
            "asked",
            { scope: "text", operation: "text", idempotency_key: "text" }
          )
          return Effect.map(
            findAll(
              FoundAnswer,
              sql`
                SELECT asked.position, a.fingerprint, a.answer, a.created_at
                FROM ${asked} JOIN idempotent_answers a ON a.scope = asked.scope
                  AND a.operation = asked.operation AND a.idempotency_key = asked.idempotency_key
                WHERE a.created_at > ${since}`
            ),
            (rows) => {
              const found = new Map(rows.map(({ position, ...answer }) => [position, answer]))
              return requests.map((request, i) => {
                const answer = found.get(i)
                return answer && { ...request, ...answer }
              })
            }
          )
        },
        put: (answers) => {
          const rows = answers.map(toAnswerRow)
          return Arr.isArrayNonEmpty(rows) ? execute(replace(rows)) : Effect.void
        }
      })
    })
  )
}
