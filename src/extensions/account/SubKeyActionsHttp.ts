import { BigDecimal, Effect, Redacted } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Transaction } from "../../database/Transaction.ts"
import { HttpProblem } from "../../http/problems/HttpProblems.ts"
import { problemsOf } from "../../http/problems/problem.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { type FieldError, invalidInput } from "../../input/InvalidInput.ts"
import { DemoKeyProtected } from "../../keys/KeyFailures.ts"
import { isUsable, type SubKey } from "../../keys/SubKey.ts"
import { ApiKeys } from "../../keys/ApiKeys.ts"
import { maxSubKeys, SubKeyNotFound, SubKeys, TooManySubKeys } from "../subkeys/SubKeys.ts"
import { SubKeyInput } from "../subkeys/SubKeysApi.ts"
import { type KeyId, SubKeyId } from "../../KeyStatus.ts"
import { SubKeyProblem } from "../subkeys/SubKeysProblems.ts"
import { formResponses, formValues } from "../../site/FormHttp.ts"
import { emptyForm, type FormValues } from "../../site/form.ts"
import type { SignedIn } from "./SessionCookieHttp.ts"
import { assertNamed, graceHoursOf, oldOneEnds, secretChangedPage } from "./secretReplacement.ts"
import { newSecretsPage, newSubKeysPage, subKeyPage, subKeySecretPage } from "./SubKeyPages.ts"

const decode = decodeFields(SubKeyInput)

type Response = HttpServerResponse.HttpServerResponse

/** The limit typed in a form of sub-keys, if any. Text that is not a number becomes 0, an error too. */
const typedLimit = ({ monthly_limit = "" }: FormValues) => {
  const limit = monthly_limit.trim().replaceAll(/[,_ ](?=\d{3}\b)/g, "")
  return limit === "" ? undefined : /^\d{1,15}$/.test(limit) ? Number(limit) : 0
}

/** The values of a sub-key's form. An empty limit means no limit. */
const readTerms = (values: FormValues) => {
  const limit = typedLimit(values)
  const given = { name: values["name"] ?? "", ...(limit !== undefined && { monthly_limit: limit }) }
  return Effect.fromResult(decode(given)).pipe(
    Effect.map((terms) => ({
      name: terms.name.trim(),
      monthlyLimit: terms.monthly_limit === undefined ? null : BigDecimal.toNumberUnsafe(terms.monthly_limit)
    })),
    Effect.mapError(({ errors }) => {
      const message = "must be a whole number such as 1,000"
      const isUnread = (pointer: string) => pointer === "/monthly_limit" && limit === 0
      return invalidInput(errors.map((error) => (isUnread(error.pointer) ? { ...error, message } : error)))
    })
  )
}

/** The names in a form of new sub-keys, one a line. */
const namesIn = ({ name = "" }: FormValues) => {
  const names = name.split(/\r\n?|\n/).filter((line) => line.trim() !== "")
  return names.length === 0 ? [""] : names
}

/** The values of a form of new sub-keys, which have the same limit. An error of one of several names says its line. */
const readNewTerms = Effect.fnUntraced(function* (values: FormValues) {
  const names = namesIn(values)
  if (names.length > maxSubKeys) return yield* new TooManySubKeys({ most: maxSubKeys })
  const ofLine = (line: number) => (error: FieldError) =>
    names.length > 1 && error.pointer === "/name" ? { ...error, message: `${error.message} (name ${line})` } : error
  const [terms, failures] = yield* Effect.partition(names, (name, index) =>
    Effect.mapError(readTerms({ ...values, name }), ({ errors }) => errors.map(ofLine(index + 1)))
  )
  return failures.length === 0 ? terms : yield* invalidInput(failures.flat())
})

const FormProblem = {
  InvalidInput: HttpProblem.InvalidInput,
  SubKeyNameTaken: SubKeyProblem.SubKeyNameTaken,
  TooManySubKeys: SubKeyProblem.TooManySubKeys
}

const respond = formResponses(problemsOf<(typeof FormProblem)[keyof typeof FormProblem]["Type"]>(FormProblem))

/** The actions of the owner of a key on its sub-keys in a session. */
export const makeSubKeyActions = Effect.gen(function* () {
  const subKeys = yield* SubKeys
  const apiKeys = yield* ApiKeys
  const transaction = yield* Transaction

  const holder = ({ key }: SignedIn) => (key.isDemo ? Effect.fail(new DemoKeyProtected()) : Effect.succeed(key.id))

  /** The usable sub-key in the address. */
  const subKeyInAddress = Effect.fnUntraced(function* (session: SignedIn) {
    const { id = "" } = yield* HttpRouter.params
    const keyId = yield* holder(session)
    const subKey = yield* subKeys.find(keyId, SubKeyId.make(id))
    return isUsable(subKey) ? { keyId, subKey } : yield* new SubKeyNotFound()
  })

  const ask = (session: SignedIn) => Effect.as(holder(session), newSubKeysPage(emptyForm))

  const create = Effect.fnUntraced(function* (session: SignedIn) {
    const keyId = yield* holder(session)
    const values = yield* formValues
    const created = Effect.gen(function* () {
      const terms = yield* readNewTerms(values)
      yield* Effect.forEach(terms, () => subKeys.countCreation(keyId), { discard: true })
      const created = yield* transaction.run(Effect.forEach(terms, (each) => subKeys.create(keyId, each)))
      return newSecretsPage(
        created.map(({ secret, subKey: { monthlyLimit, name } }) => ({
          name,
          monthlyLimit,
          secret: Redacted.value(secret)
        }))
      )
    })
    return yield* respond(values, created, (state, status) => Effect.succeed(newSubKeysPage(state, status)))
  })

  const show = (session: SignedIn) =>
    Effect.map(subKeyInAddress(session), ({ subKey }) => subKeyPage(subKey, emptyForm))

  /** The answer to a form of a sub-key: `run` carries out what its values ask for. */
  const action =
    <E, R>(
      run: (
        given: { readonly keyId: KeyId; readonly subKey: SubKey },
        values: FormValues
      ) => Effect.Effect<Response, E, R>
    ) =>
    (session: SignedIn) =>
      Effect.gen(function* () {
        const found = yield* subKeyInAddress(session)
        const values = yield* formValues
        return yield* respond(values, run(found, values), (state, status) =>
          Effect.succeed(subKeyPage(found.subKey, state, status))
        )
      })

  const change = action(
    Effect.fnUntraced(function* ({ keyId, subKey }, values) {
      const terms = yield* readTerms(values)
      yield* subKeys.countChange(subKey)
      yield* subKeys.change(keyId, subKey.id, terms)
      return HttpServerResponse.redirect("/key#sub-keys", { status: 303 })
    })
  )

  const rotate = action(({ keyId, subKey }, values) =>
    Effect.gen(function* () {
      const hours = yield* graceHoursOf(values)
      yield* apiKeys.countRotation(subKey)
      const { oldSecretValidUntil, secret } = yield* transaction.run(
        Effect.tap(subKeys.rotate(keyId, subKey.id, hours), (rotated) => assertNamed(values, rotated))
      )
      const oldSecretEnds = oldOneEnds("secret", hours, oldSecretValidUntil)
      return subKeySecretPage({ name: subKey.name, secret: Redacted.value(secret), oldSecretEnds })
    }).pipe(
      Effect.catchTag("SecretChanged", (changed) =>
        Effect.succeed(secretChangedPage(changed, `/key/sub-keys/${subKey.id}#new-secret`))
      )
    )
  )

  const revoke = Effect.fnUntraced(function* (session: SignedIn) {
    const { keyId, subKey } = yield* subKeyInAddress(session)
    yield* subKeys.revoke(keyId, subKey.id, "owner")
    return HttpServerResponse.redirect("/key#sub-keys", { status: 303 })
  })

  return { ask, change, create, revoke, rotate, show }
})
