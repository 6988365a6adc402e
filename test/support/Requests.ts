import { Effect, Predicate, Schema } from "effect"
import { sample } from "./Samples.ts"

/** The problem document of a response that is not 2xx. */
export const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.String,
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  request_id: Schema.String,
  errors: Schema.optionalKey(
    Schema.Array(Schema.Struct({ pointer: Schema.String, message: Schema.String, code: Schema.String }))
  )
})

const decodeProblem = Schema.decodeUnknownSync(Problem, { onExcessProperty: "error" })

export class ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(status: number, headers: Headers, text: string) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  get json(): Readonly<Record<string, unknown>> {
    const value: unknown = JSON.parse(this.text)
    if (!Predicate.isObject(value)) throw new Error(`The response is not a JSON object: ${this.text}`)
    return { ...value }
  }

  get problem() {
    return decodeProblem(this.json)
  }
}

/** The JSON object in a text. */
export const jsonOf = (text: string) => new ServiceResponse(0, new Headers(), text).json

type Headed = Readonly<Record<string, string>>

/** Sends a request to the server at a URL. */
export const sendTo = (base: string, path: string, init: RequestInit = {}): Effect.Effect<ServiceResponse> =>
  Effect.promise(async () => {
    const response = await fetch(`${base}${path}`, { redirect: "manual", ...init })
    return new ServiceResponse(response.status, response.headers, await response.text())
  })

/** Gets a path. */
export const getFrom = (base: string, path: string, headers: Headed = {}) => sendTo(base, path, { headers })

/** Posts JSON, or a text as it is. */
export const postTo = (base: string, path: string, body: unknown, headers: Headed = {}) =>
  sendTo(base, path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: Predicate.isString(body) ? body : JSON.stringify(body)
  })

/** Requests a forecast of the sample campaign. */
export const forecastFrom = (base: string, secret: string, headers: Headed = {}) =>
  postTo(base, "/api/v1/forecast", sample, { "x-api-key": secret, ...headers })
