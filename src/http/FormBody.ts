import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { readText } from "./RequestBody.ts"

/** Whether a request carries an HTML form. */
export const isForm = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["content-type"] ?? "").toLowerCase().startsWith("application/x-www-form-urlencoded")

/** Reads a form of at most 16 KiB; a field that is given twice has its last value. */
export const readForm = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(readText(request), (text): Readonly<Record<string, string>> =>
    Object.fromEntries(new URLSearchParams(text))
  )
