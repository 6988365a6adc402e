import { BigDecimal, Clock, Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestLimits } from "../../http/limits/RequestLimits.ts"
import { readForm } from "../../http/RequestBody.ts"
import { retryAfter } from "../../http/ResponseHeaders.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import type { FieldError } from "../../input/InvalidInput.ts"
import { DemoKeyProtected } from "../../keys/KeyFailures.ts"
import { isUsable, type SubKey } from "../../keys/subkeys/SubKey.ts"
import { SubKeyNotFound, SubKeys } from "../../keys/subkeys/SubKeys.ts"
import { NewSubKeyInput } from "../../keys/subkeys/SubKeysApi.ts"
import { createdPerHour } from "../../keys/subkeys/SubKeysHttp.ts"
import { SubKeyId } from "../../KeyId.ts"
import { Settings } from "../../Settings.ts"
import { problemPage } from "../../site/ErrorPages.ts"
import { emptyForm, type FormState } from "../../site/form.ts"
import { counted } from "../../text/Figures.ts"
import type { SignedIn } from "../../keys/sessions/SessionCookieHttp.ts"
import { assertNamed, graceHoursOf, secretChangedPage } from "../secretReplacement.ts"
import { newSubKeyPage, subKeyPage, subKeySecretPage } from "./SubKeyPages.ts"
import { monthOf, showDate } from "../../text/Times.ts"

const decode = decodeFields(NewSubKeyInput)

type Values = Readonly<Record<string, string>>

/**
 * The values of a sub-key's form. An empty limit means no limit; text that is not a number becomes 0, so that the error
 * names the bounds.
 */
const readTerms = ({ monthly_limit = "", name = "" }: Values) => {
  const limit = monthly_limit.trim().replaceAll(/[,_ ](?=\d{3}\b)/g, "")
  const given = { name, ...(limit !== "" && { monthly_limit: /^\d{1,15}$/.test(limit) ? Number(limit) : 0 }) }
  return Effect.map(Effect.fromResult(decode(given)), (terms) => ({
    name: terms.name.trim(),
    monthlyLimit: terms.monthly_limit === undefined ? null : BigDecimal.toNumberUnsafe(terms.monthly_limit)
  }))
}

const nameTaken = (values: Values): FormState => ({
  values,
  errors: [
    {
      pointer: "/name",
      code: "invalid_format",
      message: "is taken by another of your sub-keys; if you have lost its secret, give that one a new secret"
    }
  ]
})

const notFound = () =>
  problemPage("Sub-key not found", "Your key has no usable sub-key with this ID.", 404, {
    path: "/account#sub-keys",
    text: "Your sub-keys"
  })

const notForDemo = () =>
  problemPage("Not for the demo key", "The demo key is shared by everyone and has no sub-keys.", 403, {
    path: "/account",
    text: "Your account"
  })

/** The actions of the owner of a key on its sub-keys in a session. */
export const makeSubKeyActions = Effect.gen(function* () {
  const subKeys = yield* SubKeys
  const limits = yield* RequestLimits
  const { rotationsPerHour } = (yield* Settings).limits

  const form = Effect.flatMap(HttpServerRequest.HttpServerRequest, readForm)
  const currentMonth = Effect.map(Clock.currentTimeMillis, monthOf)

  const holder = ({ key }: SignedIn) => (key.isDemo ? Effect.fail(new DemoKeyProtected()) : Effect.succeed(key.id))

  /** The usable sub-key in the address. */
  const named = Effect.fnUntraced(function* (session: SignedIn) {
    const { id = "" } = yield* HttpRouter.params
    const keyId = yield* holder(session)
    const subKey = yield* subKeys.find(keyId, SubKeyId.make(id))
    return isUsable(subKey) ? { keyId, subKey } : yield* new SubKeyNotFound()
  })

  const shown = (subKey: SubKey, state: FormState = emptyForm, status = 200) =>
    Effect.map(currentMonth, (month) => subKeyPage(subKey, month, state, status))

  const tooOften = (subKey: SubKey, seconds: number) =>
    Effect.map(
      shown(
        subKey,
        {
          values: {},
          errors: [],
          message: `Its secret was replaced too often. Try again in ${counted(Math.ceil(seconds / 60), "minute")}.`
        },
        429
      ),
      HttpServerResponse.setHeaders(retryAfter.of(seconds))
    )

  const ask = (session: SignedIn) =>
    holder(session).pipe(
      Effect.as(newSubKeyPage(emptyForm)),
      Effect.catchTag("DemoKeyProtected", () => Effect.succeed(notForDemo()))
    )

  const create = (session: SignedIn) =>
    Effect.gen(function* () {
      const keyId = yield* holder(session)
      const values = yield* form
      const wrong = (errors: ReadonlyArray<FieldError>) => Effect.succeed(newSubKeyPage({ values, errors }, 400))
      return yield* readTerms(values).pipe(
        Effect.tap(() => limits.count(`sub-keys ${keyId}`, createdPerHour)),
        Effect.flatMap((terms) => subKeys.create(keyId, terms)),
        Effect.map(({ secret, subKey }) => subKeySecretPage({ name: subKey.name, secret: Redacted.value(secret) })),
        Effect.catchTags({
          InvalidInput: ({ errors }) => wrong(errors),
          SubKeyNameTaken: () => Effect.succeed(newSubKeyPage(nameTaken(values), 409)),
          TooManySubKeys: ({ most }) =>
            Effect.succeed(
              newSubKeyPage(
                {
                  values,
                  errors: [],
                  message: `Your key has ${most} sub-keys, which is the most it may have. Revoke one first.`
                },
                409
              )
            ),
          RateLimited: ({ retryAfter: seconds }) =>
            Effect.succeed(
              HttpServerResponse.setHeaders(
                newSubKeyPage(
                  {
                    values,
                    errors: [],
                    message: `Too many sub-keys were created. Try again in ${counted(Math.ceil(seconds / 60), "minute")}.`
                  },
                  429
                ),
                retryAfter.of(seconds)
              )
            )
        })
      )
    }).pipe(Effect.catchTag("DemoKeyProtected", () => Effect.succeed(notForDemo())))

  const refusals = {
    DemoKeyProtected: () => Effect.succeed(notForDemo()),
    SubKeyNotFound: () => Effect.succeed(notFound())
  }

  const show = (session: SignedIn) =>
    named(session).pipe(
      Effect.flatMap(({ subKey }) => shown(subKey)),
      Effect.catchTags(refusals)
    )

  const change = (session: SignedIn) =>
    Effect.gen(function* () {
      const { keyId, subKey } = yield* named(session)
      const values = yield* form
      return yield* readTerms(values).pipe(
        Effect.flatMap((terms) => subKeys.change(keyId, subKey.id, terms)),
        Effect.as(HttpServerResponse.redirect("/account#sub-keys", { status: 303 })),
        Effect.catchTags({
          InvalidInput: ({ errors }) => shown(subKey, { values, errors }, 400),
          SubKeyNameTaken: () => shown(subKey, nameTaken(values), 409)
        })
      )
    }).pipe(Effect.catchTags(refusals))

  const rotate = (session: SignedIn) =>
    Effect.gen(function* () {
      const { keyId, subKey } = yield* named(session)
      const values = yield* form
      const hours = graceHoursOf(values)
      if (typeof hours !== "number") return yield* shown(subKey, hours, 400)
      return yield* limits.count(`rotation ${subKey.id}`, rotationsPerHour).pipe(
        Effect.andThen(subKeys.rotate(keyId, subKey.id, hours, (rotated) => assertNamed(values, rotated))),
        Effect.map(({ oldSecretValidUntil, secret }) =>
          subKeySecretPage({
            name: subKey.name,
            secret: Redacted.value(secret),
            oldSecretEnds:
              hours === 0
                ? "The old secret no longer works."
                : `The old secret works until ${showDate(oldSecretValidUntil)}.`
          })
        ),
        Effect.catchTags({
          SecretChanged: (changed) =>
            Effect.succeed(secretChangedPage(changed, `/account/sub-keys/${subKey.id}#new-secret`)),
          RateLimited: ({ retryAfter: seconds }) => tooOften(subKey, seconds)
        })
      )
    }).pipe(Effect.catchTags(refusals))

  const revoke = (session: SignedIn) =>
    Effect.gen(function* () {
      const { keyId, subKey } = yield* named(session)
      yield* subKeys.revoke(keyId, subKey.id, "owner")
      return HttpServerResponse.redirect("/account#sub-keys", { status: 303 })
    }).pipe(Effect.catchTags(refusals))

  return { ask, change, create, revoke, rotate, show }
})
