import { Schema, SchemaAST, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { FieldError } from "../../input/InvalidInput.ts"
import type { RequestState } from "../RequestState.ts"
import type { HeaderFields } from "../ResponseHeaders.ts"
import {
  fieldErrors,
  type ProblemResponse,
  type ProblemDocument,
  problemFields,
  problemType
} from "./ProblemDocument.ts"
import { HttpServerResponse } from "effect/http"

/** The facts about the request in a problem document. */
type ProblemContext = Pick<RequestState, "id" | "publicUrl">

/** The request of the examples. */
const exampleRequest: ProblemContext = {
  id: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69",
  publicUrl: "https://forecast.example"
}

/** The explanation of a code in the guide, in Markdown. */
export interface Explanation {
  readonly when: string
  readonly why: string
  readonly whatToDo: string
  /** The remedy in a few words. */
  readonly remedy: string
}

/** The description of a kind of failure. */
interface Description<F> {
  readonly status: number
  readonly code: string
  /** Set for one of the kinds of failure that share a code. */
  readonly explanation?: Explanation
  readonly title: string
  /** True if the same request may succeed later, unchanged; by default false. */
  readonly retryable?: boolean
  /** Words for what happened and what to do about it. */
  readonly detail: string | ((failure: F, request: ProblemContext) => string)
  readonly headers?: HeaderFields | ((failure: F) => HeaderFields)
  readonly errors?: (failure: F) => ReadonlyArray<FieldError>
  /** A failure of this kind, for the document. */
  readonly example: F
}

/**
 * An entry of the table of problems. It is the schema by which endpoints declare the failure: its type is the failure
 * that a handler fails with, its encoded side the problem document that the client gets.
 */
export interface Problem<F> extends Schema.Codec<F, ProblemDocument> {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly retryable: boolean
  readonly explanation: Explanation | undefined
  /** The response to a failure of this kind. */
  readonly answer: (failure: F, request: ProblemContext) => ProblemResponse
  readonly example: ProblemResponse
}

const exampleKey = "problem"

/** The example in the annotations of a schema that declares a failure; none for another schema. */
export const exampleAt = SchemaAST.resolveAt<ProblemResponse>(exampleKey)

type FailureClass<F> = Schema.Codec<F, unknown> & { readonly identifier: string }

/** Creates the responses to a kind of failure; parts that are the same for all are created once. */
const makeAnswer = <F>({ code, detail, errors, headers = {}, retryable = false, status, title }: Description<F>) => {
  const fragment = `/docs/errors#${code}`
  return (failure: F, request: ProblemContext): ProblemResponse => {
    const { id, publicUrl } = request
    const text = typeof detail === "string" ? detail : detail(failure, request)
    const body = {
      type: publicUrl + fragment,
      title,
      status,
      detail: text,
      code,
      message: text,
      retryable,
      request_id: id
    }
    return {
      status,
      contentType: problemType,
      headers: typeof headers === "function" ? headers(failure) : headers,
      body: errors === undefined ? body : { ...body, errors: errors(failure) }
    }
  }
}

const notBySchema = <T, E>() =>
  SchemaGetter.forbidden<T, E>(() => "A problem also names its request: toProblem writes it")

/** Defines the problem of a class of failures, wherever it occurs. */
export const problem = <F>(failure: FailureClass<F>, description: Description<F>): Problem<F> => {
  const { code, errors, explanation, retryable = false, status, title } = description
  const answer = makeAnswer(description)
  const example = answer(description.example, exampleRequest)
  const name = code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const fields = problemFields(
    Schema.Literal(status).annotate({ title: `Status${status}` }),
    Schema.Literal(code).annotate({ title: `${name}Code` })
  )
  const document: Schema.Codec<ProblemDocument> =
    errors === undefined
      ? Schema.Struct(fields)
      : Schema.Struct({ ...fields, errors: fieldErrors("All errors in the request.") })
  const declared = document
    .annotate({
      identifier: `${failure.identifier}Problem`,
      description: `${title} (\`${code}\`).`,
      examples: [example.body]
    })
    .pipe(
      Schema.decodeTo(Schema.toType(failure), { decode: notBySchema(), encode: notBySchema() }),
      Schema.annotate({ description: `${title} (\`${code}\`)`, [exampleKey]: example }),
      HttpApiSchema.asJson({ contentType: problemType }),
      HttpApiSchema.status(status)
    )
  return Schema.make<Problem<F>>(declared.ast, { status, code, title, retryable, explanation, answer, example })
}

type Of<F, Tag> = Extract<F, { readonly _tag: Tag }>

/** Creates the functions that answer failures, from a table with an entry for each tag. */
export const problemsOf = <F extends { readonly _tag: string }>(table: {
  readonly [Tag in F["_tag"]]: Problem<Of<F, Tag>>
}) => {
  /** The status, headers and problem document of a failure. */
  const toProblem = <Tag extends F["_tag"]>(
    failure: Of<F, Tag> & { readonly _tag: Tag },
    request: ProblemContext
  ): ProblemResponse => table[failure._tag].answer(failure, request)

  return {
    toProblem,

    /** Records the problem of a failure for its request: whoever sends the response shows it in place of this one. */
    toResponse: <Tag extends F["_tag"]>(failure: Of<F, Tag> & { readonly _tag: Tag }, request: RequestState) => {
      request.problem = toProblem<Tag>(failure, request)
      return HttpServerResponse.empty({ status: request.problem.status })
    },

    /** True if an error is one of the failures. */
    isFailure: (error: unknown): error is F =>
      error instanceof Error && "_tag" in error && Object.hasOwn(table, String(error._tag))
  }
}
