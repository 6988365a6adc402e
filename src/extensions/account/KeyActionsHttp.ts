import { Effect, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Transaction } from "../../database/Transaction.ts"
import { Credits } from "../../credits/Credits.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { DemoKeyProtected } from "../../keys/KeyFailures.ts"
import { Sessions } from "./Sessions.ts"
import { deletedPage, revokedPage, revokePage, rotatedPage } from "./KeyFormPages.ts"
import type { FormState, FormValues } from "../../site/form.ts"
import type { SignedIn } from "./SessionCookieHttp.ts"
import { assertNamed, graceHoursOf, oldOneEnds, secretChangedPage } from "./secretReplacement.ts"
import { HttpProblem } from "../../http/problems/HttpProblems.ts"
import { problemsOf } from "../../http/problems/problem.ts"
import { InvalidInput } from "../../input/InvalidInput.ts"
import { formResponses, formValues } from "../../site/FormHttp.ts"
import { Notices } from "../notices/Notices.ts"
import { OrderPlacing } from "../../orders/OrderPlacingHttp.ts"
import { OrderDecoders } from "../../orders/OrderRequest.ts"
import { OrderProblem } from "../../orders/OrdersProblems.ts"
import { Erasure } from "../privacy/Erasure.ts"

type Response = HttpServerResponse.HttpServerResponse
type Show = (
  session: SignedIn,
  state: FormState,
  status: number
) => Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest>

const FormProblem = { ...OrderProblem, InvalidInput: HttpProblem.InvalidInput }

const respond = formResponses(problemsOf<(typeof FormProblem)[keyof typeof FormProblem]["Type"]>(FormProblem))

/** True if a typed name equals the other, ignoring case and surrounding spaces. */
const isSameName = (typed: string, name: string) => {
  const [a, b] = [typed, name].map((text) => text.trim().normalize("NFC").toLowerCase())
  return a === b
}

/**
 * The actions of the owner of a key in a session: buy, choose emails, replace, revoke, delete. `show` shows the page of
 * the key with the errors.
 */
export const makeKeyActions = Effect.fnUntraced(function* (options: {
  readonly show: Show
  readonly signOut: (response: Response) => Response
}) {
  const { show, signOut } = options
  const apiKeys = yield* ApiKeys
  const credits = yield* Credits
  const sessions = yield* Sessions
  const erasure = yield* Erasure
  const notices = yield* Notices
  const placing = yield* OrderPlacing
  const { ofKey } = yield* OrderDecoders
  const transaction = yield* Transaction

  /** The answer to a form of that page: `run` carries out what its values ask for. */
  const action =
    <E, R>(run: (session: SignedIn, values: FormValues) => Effect.Effect<Response, E, R>) =>
    (session: SignedIn) =>
      Effect.flatMap(formValues, (values) =>
        respond(values, run(session, values), (state, status) => show(session, state, status))
      )

  const order = action(
    Effect.fnUntraced(function* ({ key }, { idempotency_key: formKey = "", pack: given = "" }) {
      const { pack } = yield* Effect.fromResult(ofKey({ pack: given }))
      return HttpServerResponse.redirect(yield* placing.forFormOfKey(pack, key, formKey), { status: 303 })
    })
  )

  const setNotices = action(
    Effect.fnUntraced(function* ({ key }, { notices: wanted }) {
      if (key.isDemo) return yield* new DemoKeyProtected()
      if (wanted !== "on" && wanted !== "off") {
        const errors = [{ pointer: "/notices", code: "out_of_range", message: "must be on or off" }] as const
        return yield* new InvalidInput({ errors })
      }
      yield* notices.set(key.id, wanted === "on")
      return HttpServerResponse.redirect("/key#emails", { status: 303 })
    })
  )

  const rotate = action(
    Effect.fnUntraced(
      function* ({ key, token }, values) {
        if (key.isDemo) return yield* new DemoKeyProtected()
        const hours = yield* graceHoursOf(values)
        yield* apiKeys.countRotation(key)
        const { oldSecretValidUntil, secret } = yield* transaction.run(
          Effect.gen(function* () {
            const rotated = yield* apiKeys.rotate(key.id, hours)
            yield* assertNamed(values, rotated)
            // The session belongs to the old secret, and would end with it.
            yield* sessions.continueWith(token, rotated.secret)
            return rotated
          })
        )
        const oldKeyEnds = oldOneEnds("key", hours, oldSecretValidUntil)
        return rotatedPage({ secret: Redacted.value(secret), oldKeyEnds })
      },
      Effect.catchTag("SecretChanged", (changed) => Effect.succeed(secretChangedPage(changed, "/key#replace")))
    )
  )

  const askToRevoke = Effect.fnUntraced(function* ({ key }: SignedIn) {
    if (key.isDemo) return yield* new DemoKeyProtected()
    const { remaining } = yield* credits.balance(key.id)
    return revokePage(key.secretPrefix, remaining)
  })

  const revoke = Effect.fnUntraced(function* ({ key }: SignedIn) {
    yield* apiKeys.revoke(key.id, "owner")
    return signOut(revokedPage(key.secretPrefix))
  })

  const deleteData = action(
    Effect.fnUntraced(function* ({ key }, { company = "" }) {
      if (key.isDemo) return yield* new DemoKeyProtected()
      if (!isSameName(company, key.owner.company)) {
        const errors = [
          { pointer: "/company", code: "invalid_format", message: "is not the one that this key was issued to" }
        ] as const
        return yield* new InvalidInput({ errors })
      }
      const { openPayments } = yield* erasure.erase(key.id, "owner")
      return signOut(deletedPage(openPayments))
    })
  )

  return { askToRevoke, deleteData, order, revoke, rotate, setNotices }
})
