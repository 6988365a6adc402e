import { parseSync } from "rolldown/utils"

/** The words that begin a question or a clause, where a noun or a verb should stand. */
const question = /^(?:Makes what|What|Whether|How|Who|Whose|Which|Where|When|Why)\b/

/** The doc comments of sources that begin like a question, a sentence each. */
export const questionsIn = (sources: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...sources].flatMap(([file, source]) =>
    parseSync(file, source).comments.flatMap(({ start, type, value }) => {
      const [word] =
        type === "Block" && value.startsWith("*") ? (question.exec(value.replace(/^[\s*]+/, "")) ?? []) : []
      if (word === undefined) return []
      const line = source.slice(0, start).split("\n").length
      return [`${file}:${line} begins with "${word}": begin a doc comment with a noun or a verb`]
    })
  )
