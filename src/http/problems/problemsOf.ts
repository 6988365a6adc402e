import { HttpServerResponse } from "effect/http"
import type { RequestState } from "../RequestState.ts"
import type { Problem, ProblemAnswer } from "./problem.ts"

type Of<F, Tag> = Extract<F, { readonly _tag: Tag }>
type Request = Pick<RequestState, "id" | "publicUrl">

/** How failures are answered: by a table with an entry for the tag of each. */
export const problemsOf = <F extends { readonly _tag: string }>(table: {
  readonly [Tag in F["_tag"]]: Problem<Of<F, Tag>>
}) => {
  /** The status, headers and problem document that a failure is answered with. */
  const toProblem = <Tag extends F["_tag"]>(
    failure: Of<F, Tag> & { readonly _tag: Tag },
    request: Request
  ): ProblemAnswer => table[failure._tag].answer(failure, request)

  return {
    toProblem,

    /** The answer to a failure. Notes its problem, for the log. */
    toResponse: <Tag extends F["_tag"]>(failure: Of<F, Tag> & { readonly _tag: Tag }, request: RequestState) => {
      const { body, ...options } = toProblem<Tag>(failure, request)
      request.problem = body
      return HttpServerResponse.jsonUnsafe(body, options)
    },

    /** True if something that went wrong is one of the failures. */
    isFailure: (error: unknown): error is F =>
      error instanceof Error && "_tag" in error && Object.hasOwn(table, String(error._tag))
  }
}
