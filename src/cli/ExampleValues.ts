/** What to type for flags and arguments, by their names. */
const examples: Readonly<Partial<Record<string, string>>> = {
  amount: "500",
  company: "Example Ltd",
  credits: "100",
  delta: "-5",
  email: "ada@example.com",
  from: "sqlite:data/outreach-forecast.db",
  key: "KEY",
  limit: "50",
  mail: "MAIL",
  month: "2026-11",
  name: "Ada Lovelace",
  order: "ORDER",
  "paid-at": "2026-11-21",
  reason: "a mistake",
  reference: "bank 7",
  to: "sqlite:data/copy.db"
}

/** What to type for a flag or an argument; a file has a name that suits its command. */
export const exampleOf = (name: string, command: string): string | undefined => {
  if (name === "file" && command === "database backup") return "backup.db"
  return examples[name]
}
