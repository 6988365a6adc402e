import { Problem } from "../../src/Problems.ts"

/** The members that all problems of a code share. */
interface ProblemKind {
  readonly status: number
  readonly title: string
  readonly retryable: boolean
}

/** Every code that a problem can have, in the order of their status. */
export const problemKinds: ReadonlyMap<string, ProblemKind> = new Map(
  Object.values(Problem)
    .toSorted((a, b) => a.status - b.status)
    .map(({ code, retryable, status, title }) => [code, { status, title, retryable }])
)
