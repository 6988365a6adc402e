import { type Failure, toProblem } from "../../Problems.ts"
import { type Reply, sendAnswer } from "../server/Sending.ts"

/** Answers with the problem of any failure. */
export const sendProblem = (reply: Reply, failure: Failure, headers: Readonly<Record<string, string>> = {}): void =>
  sendAnswer(reply, toProblem(failure, reply.state), headers)
