/** What an answer has beside its fields. Neither is enumerable: they are in no JSON, no log and no copy of the answer. */
export interface AnswerInfo {
  /** The id of the request; quote it when you ask for support. Undefined if something removed it on the way. */
  readonly requestId: string | undefined
  /** The headers of the answer. */
  readonly headers: Headers
}

/** An answer of the service: its fields, and what its headers say. */
export type Answered<Answer> = Answer & AnswerInfo
