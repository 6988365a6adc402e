import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../database/Transaction.ts"
import { Mails } from "../mail/Mails.ts"
import { confirmKey, replaceKey } from "./accessMessages.ts"
import { type ApiKey, confirmed, isLive, newApiKey, type Owner } from "./ApiKey.ts"
import { AuditLog } from "./AuditLog.ts"
import { Credits } from "../credits/Credits.ts"
import { Grants } from "../credits/Grants.ts"
import { hashOf, type IssuedKey, KeySecrets } from "./KeySecrets.ts"
import { newToken } from "../Randomness.ts"
import { LinkGone, LinkUnknown } from "./KeyFailures.ts"
import { KeyStore } from "./KeyStore.ts"
import { mailboxOf } from "./Mailbox.ts"
import { type RevealLink, RevealLinks } from "./RevealLinks.ts"
import { dayLength } from "../text/Times.ts"

/** The time that a link works after it was sent. */
const lifetime = dayLength

/** A key with the secret just revealed; it is not shown again. */
export interface Revealed extends IssuedKey {
  readonly creditsRemaining: number
}

/** Keys by email: a request, a link in an email, and a page whose button reveals a secret. */
export class AccessRequests extends Context.Service<
  AccessRequests,
  {
    /**
     * Queues an email to the owner's address with a link that confirms a new key or, if the address has a usable key,
     * replaces its secret. Earlier links become void. Callers cannot tell whether the address is known, and cannot
     * change the stored data of its owner.
     */
    readonly request: (owner: Owner) => Effect.Effect<void>
    /** Finds the live key of an address, or records a new, unconfirmed one; in the caller's transaction. */
    readonly keyFor: (owner: Owner) => Effect.Effect<ApiKey>
    /** Records a new link that reveals a secret of a key, and voids the earlier ones; in the caller's transaction. */
    readonly newLink: (key: ApiKey) => Effect.Effect<RevealLink>
    /** Creates a new path of a link's page, `/confirm/{token}`, which works for 24 hours; earlier ones stay valid. */
    readonly makePath: (linkId: string) => Effect.Effect<Redacted.Redacted>
    /** Finds the link of a token, without changing anything. */
    readonly inspect: (token: Redacted.Redacted) => Effect.Effect<RevealLink, LinkUnknown | LinkGone>
    /**
     * Reveals a new secret, and deletes revealed ones that were never used. Confirms an unconfirmed key and grants its
     * preview credits. A link works for 24 hours, or until a secret it revealed is used for the first time.
     */
    readonly reveal: (token: Redacted.Redacted) => Effect.Effect<Revealed, LinkUnknown | LinkGone>
  }
>()("outreach-forecast/keys/AccessRequests") {
  static readonly layer = Layer.effect(
    AccessRequests,
    Effect.gen(function* () {
      const store = yield* KeyStore
      const secrets = yield* KeySecrets
      const links = yield* RevealLinks
      const audit = yield* AuditLog
      const credits = yield* Credits
      const grants = yield* Grants
      const mails = yield* Mails
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const keyFor = Effect.fn("AccessRequests.keyFor")(function* (owner: Owner) {
        const live = (yield* store.findByEmail(owner.email)).find(isLive)
        if (live !== undefined) return live
        const key = yield* newApiKey(random, owner)
        yield* store.insert(key)
        return key
      })

      const newLink = Effect.fn("AccessRequests.newLink")(function* (key: ApiKey) {
        const now = yield* Clock.currentTimeMillis
        const link: RevealLink = {
          id: yield* random.uuidV7(),
          keyId: key.id,
          purpose: key.state === "unconfirmed" ? "confirm" : "replace",
          createdAt: now,
          expiresAt: now + lifetime,
          voidedAt: undefined,
          usedAt: undefined
        }
        yield* links.voidAllOf(key.id, now)
        yield* links.insert(link)
        return link
      })

      const request = Effect.fn("AccessRequests.request")(function* (owner: Owner) {
        const key = yield* keyFor(owner)
        const { id, purpose } = yield* newLink(key)
        const message =
          purpose === "replace"
            ? replaceKey(key.owner.name, key.secretPrefix)
            : confirmKey({ isFirst: !(yield* grants.hadPreview(mailboxOf(owner.email))) })
        yield* mails.enqueue(owner.email, message, { kind: "reveal", id })
        yield* audit.append(key.id, "owner", purpose === "replace" ? "replacement_requested" : "access_requested")
      }, transaction.run)

      const open = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const found = yield* links.findByToken(hashOf(token))
        if (Option.isNone(found)) return yield* new LinkUnknown()
        const link = found.value
        const key = yield* store.findById(link.keyId)
        if (Option.isNone(key)) return yield* new LinkUnknown()
        if (link.voidedAt !== undefined) return yield* new LinkGone({ reason: "replaced" })
        if (link.expiresAt <= (yield* Clock.currentTimeMillis)) return yield* new LinkGone({ reason: "expired" })
        if (key.value.state === "revoked") return yield* new LinkGone({ reason: "revoked" })
        if (link.usedAt !== undefined) return yield* new LinkGone({ reason: "used" })
        return { link, key: key.value }
      })

      const reveal = Effect.fn("AccessRequests.reveal")(function* (token: Redacted.Redacted) {
        const { key, link } = yield* open(token)
        yield* secrets.deleteUnused(key.id)
        const issued = yield* secrets.issue(confirmed(key), link.id)
        if (key.state === "unconfirmed") yield* grants.grantPreview(key.id, mailboxOf(key.owner.email))
        yield* audit.append(key.id, "owner", "revealed")
        const { remaining } = yield* credits.balance(key.id)
        return { ...issued, creditsRemaining: remaining }
      }, transaction.run)

      const makePath = Effect.fn("AccessRequests.makePath")(function* (linkId: string) {
        const token = yield* newToken(random)
        yield* links.addToken(hashOf(token), linkId, (yield* Clock.currentTimeMillis) + lifetime)
        return Redacted.make(`/confirm/${Redacted.value(token)}`)
      })

      return AccessRequests.of({
        request,
        keyFor,
        newLink,
        makePath,
        inspect: (token) => Effect.map(open(token), ({ link }) => link),
        reveal
      })
    })
  ).pipe(Layer.provide([KeySecrets.layer, Credits.layer, Grants.layer, Mails.layer]))
}
