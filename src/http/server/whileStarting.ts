import type { RequestListener } from "node:http"
import { newId } from "../../Randomness.ts"
import { Unavailable } from "../problems/HttpFailures.ts"
import { newRequest } from "../RequestState.ts"
import { type ErrorPage, sendProblem, sendText } from "./Sending.ts"

/**
 * Answers while the service waits for its database, or brings it up to date: it is alive, and there is nothing else it can
 * answer yet. Each connection ends with its answer, so that the next request may go to another instance.
 */
export const makeWhileStarting =
  (options: { readonly publicUrl: string; readonly errorPage: ErrorPage }): RequestListener =>
  (request, response) => {
    const { errorPage, publicUrl } = options
    const state = newRequest(newId(), publicUrl)
    const reply = { request, response, state, isLast: () => true, errorPage }
    if (request.url === "/livez") sendText(reply, 200, "application/json", JSON.stringify({ status: "ok" }), {})
    else sendProblem(reply, new Unavailable())
  }
