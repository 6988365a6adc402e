import { Context, Effect, Layer, Redacted, Result } from "effect"
import type { Balance } from "../credits/Balance.ts"
import { Credits, UsageExhausted } from "../credits/Credits.ts"
import type { ReceivedRequest } from "../http/ClientAddress.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { creditHeadersOf } from "../http/ResponseHeaders.ts"
import type { KeyId, KeyUnusable, SubKeyId } from "../KeyStatus.ts"
import { Settings } from "../Settings.ts"
import { Authenticator, type AuthenticatedKey, type Found } from "./Authenticator.ts"
import type { InvalidKey, MissingKey, TooManyKeyRequests, TooManyWrongKeys } from "./KeyFailures.ts"
import { KeyLimits } from "./KeyLimits.ts"
import { hashOfText, hashToFind } from "./KeySecrets.ts"

/** The reasons why the secret of a request is not accepted. */
export type AuthenticationFailure = MissingKey | InvalidKey | KeyUnusable

/** The reasons why a request is refused before it is read. */
type Refusal = AuthenticationFailure | TooManyWrongKeys | TooManyKeyRequests

/** The secret of a request; empty if there is none. */
export const secretOf = ({ headers }: ReceivedRequest): Redacted.Redacted =>
  Redacted.make(String(headers["x-api-key"] ?? ""))

/**
 * The bucket for requests with a secret: that of its key, also an inactive one; a revoked one's own; undefined if
 * nothing was found.
 */
const bucketOf = (found: Found, hash: string): string | undefined => {
  if (Result.isSuccess(found)) return found.success.id
  switch (found.failure._tag) {
    case "PlanInactive":
      return found.failure.keyId
    case "KeyRevoked":
      return hash
    case "InvalidKey":
      return undefined
  }
}

/** The secret of a request that was found before, and its bucket then. */
export interface KnownSecret {
  readonly hash: string
  readonly bucket: string
}

/** The keys of requests, and their credits in the headers of responses. */
export class RequestKeys extends Context.Service<
  RequestKeys,
  {
    /** Finds the usable key of a request's secret, within the limits of its client and of the key. */
    readonly find: (received: ReceivedRequest, secret: Redacted.Redacted) => Effect.Effect<AuthenticatedKey, Refusal>
    /**
     * Runs a request of a key, or of its sub-key, and then sets the balance for the headers of the response, however it
     * ended. A charge has set it already, and a key without credits is refused with its balance.
     */
    readonly withBalance: <A, E, R>(
      keyId: KeyId,
      subKeyId: SubKeyId | undefined,
      run: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Runs a request with the key of its secret, if the key is usable. */
    readonly asKey: <A, E, R>(
      received: ReceivedRequest,
      secret: Redacted.Redacted,
      run: (key: AuthenticatedKey) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | Refusal, R>
    /** The secret of a request that was found before; its key may be looked up with its charge. */
    readonly known: (received: ReceivedRequest) => KnownSecret | undefined
    /** Runs a request whose key has been looked up with its charge, if the key is usable. */
    readonly asFound: <A, E, R>(
      received: ReceivedRequest,
      secret: KnownSecret,
      found: Found,
      run: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | Refusal, R>
  }
>()("outreach-forecast/keys/RequestKeys") {
  static readonly layer = Layer.effect(
    RequestKeys,
    Effect.gen(function* () {
      const settings = yield* Settings
      const authenticator = yield* Authenticator
      const credits = yield* Credits
      const limits = yield* KeyLimits

      const withBalance: RequestKeys["Service"]["withBalance"] = (keyId, subKeyId, run) =>
        Effect.flatMap(CurrentRequest, (state) =>
          Effect.flatMap(Effect.result(run), (result) => {
            const ended = Effect.fromResult(result)
            if (state.creditHeaders !== undefined) return ended
            const balance: Effect.Effect<Balance> =
              Result.isFailure(result) && result.failure instanceof UsageExhausted && subKeyId === undefined
                ? Effect.succeed(result.failure)
                : credits.balance(keyId, subKeyId)
            return Effect.flatMap(balance, (found) => {
              state.creditHeaders = creditHeadersOf(found)
              return ended
            })
          })
        )

      /** Notes a key that was looked up in the state of its request. */
      const noted = (found: Result.Result<AuthenticatedKey, Refusal>): Effect.Effect<AuthenticatedKey, Refusal> =>
        Effect.flatMap(CurrentRequest, (state) => {
          const ended = Effect.fromResult(found)
          if (Result.isSuccess(found)) {
            state.keyPrefix = found.success.secretPrefix
            return ended
          }
          const { failure } = found
          if ("prefix" in failure) state.keyPrefix = failure.prefix
          return failure._tag === "PlanInactive" ? withBalance(failure.keyId, failure.subKeyId, ended) : ended
        })

      const find: RequestKeys["Service"]["find"] = (received, secret) => {
        const sought = hashToFind(secret, settings)
        if (Result.isFailure(sought)) return Effect.fail(sought.failure)
        const hash = sought.success
        const lookUp = limits.admit(received, { hash, lookUp: authenticator.find(hash), bucketOf })
        return Effect.flatMap(Effect.result(lookUp), noted)
      }

      const runWith = <A, E, R>(
        key: Effect.Effect<AuthenticatedKey, Refusal>,
        run: (key: AuthenticatedKey) => Effect.Effect<A, E, R>
      ) => Effect.flatMap(key, (found) => withBalance(found.id, found.subKey?.id, run(found)))

      return RequestKeys.of({
        find,
        withBalance,
        asKey: (received, secret, run) => runWith(find(received, secret), run),
        known: ({ headers }) => {
          // One that was found has the form of ours.
          const hash = hashOfText(String(headers["x-api-key"] ?? ""))
          const bucket = limits.knownBucket(hash)
          return bucket === undefined ? undefined : { hash, bucket }
        },
        asFound: (received, { bucket, hash }, found, run) => {
          limits.note(received, hash, bucket, bucketOf(found, hash))
          return runWith(noted(found), () => run)
        }
      })
    })
  )
}
