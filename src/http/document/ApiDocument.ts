import { Context } from "effect"
import type { Explanation } from "../problems/problem.ts"
import type { ProblemResponse } from "../problems/ProblemDocument.ts"

/** The problems of the service by the tags of their failures. */
export type ListedProblems = Readonly<
  Record<
    string,
    {
      readonly code: string
      readonly status: number
      readonly retryable: boolean
      readonly explanation: Explanation | undefined
      readonly example: ProblemResponse
    }
  >
>

/** The document of what the service offers to programs, for pages that describe it. */
export class ApiDocument extends Context.Service<
  ApiDocument,
  {
    /** Writes the OpenAPI document, whose links use the address `publicUrl`. */
    readonly at: (publicUrl: string) => object
    readonly problems: ListedProblems
  }
>()("outreach-forecast/http/ApiDocument") {}
