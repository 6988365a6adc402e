import { assert, describe, it } from "@effect/vitest"
import { csvLine } from "../../src/input/Csv.ts"
import { readRecords } from "../../src/extensions/tables/Records.ts"

/** The cells of each record, or its error, with the line on which it starts. */
const read = (text: string) => readRecords(text).records.map(({ cells, fault, line }) => [line, fault ?? cells])

describe("readRecords", () => {
  for (const [what, text, expected] of [
    [
      "commas and line feeds",
      "a,b\n1,2\n",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    [
      "CRLF, and no end of the last line",
      "a,b\r\n1,2",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    [
      "lone carriage returns",
      "a,b\r1,2\r",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    ["a byte order mark", "\uFEFFa,b", [[1, ["a", "b"]]]],
    [
      "semicolons",
      "a;b,c;d\n1;2,5;3",
      [
        [1, ["a", "b,c", "d"]],
        [2, ["1", "2,5", "3"]]
      ]
    ],
    [
      "tabs",
      "a\tb\n1\t2",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    ["delimiters within quotes of the header", '"a,b,c";d', [[1, ["a,b,c", "d"]]]],
    [
      "quotes and line breaks within quotes",
      'a,b\n"x ""y""\r\nz",2\n3,4',
      [
        [1, ["a", "b"]],
        [2, ['x "y"\nz', "2"]],
        [4, ["3", "4"]]
      ]
    ],
    [
      "empty lines and lines of delimiters",
      "\na,b\n\n , \n;,\n1,\n",
      [
        [2, ["a", "b"]],
        [6, ["1", ""]]
      ]
    ],
    [
      "bars",
      "a|b\n1|2",
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    [
      "the separator in a first line",
      "\uFEFFsep=;\r\na;b\r\n1,5;2",
      [
        [2, ["a", "b"]],
        [3, ["1,5", "2"]]
      ]
    ],
    [
      "the separator in a quoted first line",
      '"SEP=\\t"\na,b\tc\n1,5\t2',
      [
        [2, ["a,b", "c"]],
        [3, ["1,5", "2"]]
      ]
    ],
    [
      "the separator that most lines have equally often",
      "a;b;c\nx, y;1,5;2\nz;2,5;3",
      [
        [1, ["a", "b", "c"]],
        [2, ["x, y", "1,5", "2"]],
        [3, ["z", "2,5", "3"]]
      ]
    ],
    [
      "invisible characters around quotes",
      '"a"\u200B,b\n\uFEFF"1"\u00A0,2',
      [
        [1, ["a", "b"]],
        [2, ["1", "2"]]
      ]
    ],
    ["nothing", "", []]
  ] as const) {
    it(`reads ${what}`, () => assert.deepStrictEqual<unknown>(read(text), expected))
  }

  for (const [what, text, line, message] of [
    ["a quote that is not closed", 'a\n1\n"2\n3', 3, /^has a quote that is not closed$/],
    ["a quote within a cell", 'a\n1"2\n3"', 2, /^has a quote within a cell/],
    ["text after a closing quote", 'a\n"1"2\n3', 2, /^has text after a closing quote/]
  ] as const) {
    it(`reports the line with ${what}`, () => {
      const wrong = read(text).find(([, cells]) => typeof cells === "string")
      assert.strictEqual(wrong?.[0], line)
      assert.match(String(wrong?.[1]), message)
    })
  }
})

describe("csvLine", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠1"]) {
    it(`prevents a spreadsheet from reading ${JSON.stringify(text)} as a formula`, () =>
      assert.match(csvLine([text]), /^"?'/))
  }

  it("leaves numbers, and texts that are not formulas, unchanged", () =>
    assert.strictEqual(csvLine([-5, 0.25, 1e21, null, "a-b", "1=1", "ü"]), "-5,0.25,1e+21,,a-b,1=1,ü\r\n"))

  it("writes what it reads back: quotes, delimiters, line breaks, spaces", () => {
    const cells = ['"', "a,b", "c;d", "e\nf", " g ", "\th", '""', ""]
    assert.deepStrictEqual(readRecords(csvLine(["x", ...cells])).records[0]?.cells, [
      "x",
      ...cells.map((cell) => (cell.startsWith("\t") ? `'${cell}` : cell))
    ])
  })
})
