import { type Currency, currencySigns, splitCurrency } from "../../input/Currency.ts"
import { type CountName, countNames, passedAt, type PassedName, passedNames } from "../../campaign/Rates.ts"
import { type ColumnName, columns } from "./Columns.ts"

/** The meaning of a column's name, and whether it counts contacts, who may get several emails each. */
export interface Recognized {
  readonly column: ColumnName
  readonly isOfContacts: boolean
}

/**
 * The names of columns, of several in a table the first: in English, German, French, Spanish, Portuguese, Italian, Dutch
 * and Polish; docs/past-campaigns.md has their sources. Those of requests come after them.
 */
const names: { readonly [column in ColumnName]: string } = {
  name:
    "Campaign, Campaign name, Campaign title, Sequence, Sequence name, Cadence, Cadence name, Name, Title, Subject, " +
    "Subject line, List, Campaign ID, Sequence ID, Kampagne, Kampagnenname, Sequenz, Betreff, Campagne, " +
    "Nom de la campagne, Séquence, Objet, Campaña, Nombre de la campaña, Secuencia, Asunto, Campanha, Nome da campanha, " +
    "Assunto, Campagna, Nome della campagna, Campagnenaam, Onderwerp, Kampania, Nazwa kampanii, Temat",
  emails_sent:
    "Emails sent, Sent, Emails, Emailed, Outreach sent, Email outreach sent, Outbound emails, Send, Email sends, Versand, " +
    "Envois, Envois effectués, Disparos",
  delivered: "Delivered, Delivered emails, Delivery",
  replies: "Human replies, Email replies, Replies, Received replies, Beantwortet",
  positive_replies:
    "Positive replies, Positive, Interested, Leads interested, Interested replies, Positive leads, " +
    "Unique positive replies, Davon positiv, Dont positives",
  meetings:
    "Booked meetings, Meetings, Booked calls, Demos, Booked demos, Unique demoed, Demoed, Booked, Appointments, " +
    "Appointments booked, Meetings scheduled, Meetings set, Calls set, Demos set, Calls scheduled, Demos scheduled, " +
    "Appointments set",
  meetings_held:
    "Held meetings, Completed meetings, Calls held, Calls completed, Demos held, Completed demos, " +
    "Appointments held, Comparecimentos",
  clients:
    "Clients won, New clients, Clients closed, Clients, Won, Deals won, Deals closed, Opportunities won, Closed won, " +
    "Closed won deals, Total closed, Neukunden, Abschlüsse, Fechamentos"
}

/** The same for columns that count contacts. */
const namesOfContacts: { readonly [column in ColumnName]?: string } = {
  emails_sent:
    "Contacted, Leads contacted, New leads contacted, Unique contacted, Leads emailed, Leads emails sent, Leads sent, " +
    "Unique sent, Leads reached, Recipients, Unique recipients, People sent to, Kontaktiert, Empfänger, Contactés, " +
    "Destinataires, Contactados, Destinatarios, Destinatários, Destinatari, Gecontacteerd, Ontvangers, Odbiorcy",
  delivered: "Unique delivered, Leads delivered",
  replies: "Leads replied, Leads who replied, Unique replies, Unique email replies"
}

const singular = (word: string) =>
  word.endsWith("ies")
    ? `${word.slice(0, -3)}y`
    : word.length > 3 && !word.endsWith("ss")
      ? word.replace(/s$/, "")
      : word

/** Words of one meaning, by which a name in any language is that of English: Reuniões marcadas is Meetings booked. */
const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    email: "mail mailing message correos maile",
    sent:
      "versendet versendete versendeter versendeten versandt versandte gesendet gesendete gesendeter gesendeten " +
      "verschickt verschickte verschickter verschickten envoyés envoyées enviados inviate inviati verzonden verzonde " +
      "verstuurd verstuurde wysłane",
    emailed: "messaged mailed",
    reply:
      "replied responded response answered answer antworten réponses respuestas respostas risposte antwoorden reacties odpowiedzi",
    received: "erhalten erhaltene reçues recibidas recebidas ricevute ontvangen otrzymane",
    positive: "positiv positivas positivi positieve pozytywne",
    interested:
      "interessiert interessierte intéressés interesados interessados interessati geïnteresseerd zainteresowani",
    contact: "lead prospect people person",
    meeting: "termine rdv reuniones reuniões appuntamenti afspraken spotkania",
    booked: "gebucht gebuchte vereinbart vereinbarte pris fixés agendadas marcadas fissati geboekt geboekte umówione",
    held:
      "attended stattgefunden stattgefundene wahrgenommen wahrgenommene durchgeführt durchgeführte honorés effectués " +
      "realizadas svolti gehouden odbyte",
    client: "customer kunde kunden clientes clienti klant klanten klient klienci",
    new: "neue nouveaux nuevos novos nuovi nieuwe nowi",
    won: "signed gewonnen gewonnene gagnés signés gagnées signées ganados ganhos acquisiti pozyskani",
    closed: "cerrados fechados",
    deal: "affaires negocios negócios",
    delivered: "deliver zugestellt délivrés entregados entregues consegnate afgeleverd dostarczone"
  }).flatMap(([word, others]) => others.split(" ").map((other) => [singular(other), word] as const))
)

/** Words that say only that a column counts. */
const fillers: ReadonlySet<string> = new Set(
  "number num nb of the count sum total cnt all actual stat metric analytic anzahl nombre número numero aantal liczba de di der den van".split(
    " "
  )
)

/** The words of a name: `nbLeadsReached`, `leads_reached` and `# of leads reached` have the same. */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replaceAll(/\bno(?=\.| of\b)/gi, "number")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replaceAll(/(?<!\p{L})e[\s_‐–—-]mail/gu, "email")
    .replaceAll(/rendez[ -]vous/g, "rdv")
    .replace(/ in (?:the )?campaign$/, "")
    .split(/[^\p{L}\p{N}%]+/u)
    .filter((word) => word !== "")
    .map(singular)
    .map((word) => synonyms.get(word) ?? word)

const keyOf = (words: ReadonlyArray<string>) => [...new Set(words)].toSorted().join(" ")

/** The words of a name in one form and order, without what stands in brackets. */
export const wordKey = (name: string): string => keyOf(wordsOf(name.replaceAll(/\([^()]*\)/g, " ")))

/** Names in requests that mean something else in exports: phone calls, open deals, amounts of sales, lost deals too. */
const ambiguous: ReadonlySet<string> = new Set("calls held shows deals sales closed".split(" "))

/** The names of a count in requests. */
const namesInRequests = (count: PassedName): ReadonlyArray<string> =>
  passedAt(count)
    .synonyms.split(" ")
    .filter((name) => !ambiguous.has(name))

const namesIn = (list = ""): ReadonlyArray<string> => (list === "" ? [] : list.split(", "))

type NameMeaning = readonly [name: string, meaning: Recognized & { readonly rank: number }]

const meaningsOf = (column: ColumnName, list: ReadonlyArray<string>, isOfContacts = false, first = 0) =>
  list.map((name, index): NameMeaning => [keyOf(wordsOf(name)), { column, isOfContacts, rank: first + index }])

/** The meanings of names: those of exports go before those of requests. */
const recognized = new Map([
  ...passedNames.flatMap((count) => meaningsOf(count, namesInRequests(count), false, namesIn(names[count]).length)),
  ...columns.flatMap((column) => meaningsOf(column, namesIn(names[column]))),
  ...columns.flatMap((column) => meaningsOf(column, namesIn(namesOfContacts[column]), true))
])

const byWords = (name: string) => {
  const words = wordsOf(name)
  const others = words.filter((word) => !fillers.has(word))
  // Below a group of columns called Email, all are of emails.
  const forms = [words, others, others.filter((word) => word !== "email")]
  const [found, place] = forms.flatMap((form, place) => {
    const meaning = recognized.get(keyOf(form))
    return meaning === undefined ? [] : [[meaning, place] as const]
  })[0] ?? [undefined, 0]
  return found?.column === "name" && forms[place]?.length !== words.length ? undefined : found
}

/** Words that say that a column has rates. */
const rateWords: ReadonlySet<string> = new Set(
  "% rate ratio percent percentage pct prozent share conversion quote taux tasa taxa tasso anteil percentuale porcentaje pourcentage wskaźnik odsetek".split(
    " "
  )
)

/** The counts that rates lead to, by words that only names of rates have. */
const stems: { readonly [count in CountName]?: string } = {
  replies: "antwort réponse respuesta resposta risposta antwoord odpowiedź rücklauf",
  positive_replies: "interest positivity",
  meetings: "booking meeting termin buchung",
  meetings_held: "show attendance show-up",
  clients: "close closing win won deal abschluss",
  delivered: "zustell delivery deliverability"
}
const rateStems = new Map(
  countNames.flatMap((count) => (stems[count]?.split(" ") ?? []).map((word) => [word, count] as const))
)

/** A rate's name: the count that it leads to, and what it is of if the name says that. */
export interface RateNamed {
  readonly count: CountName
  readonly base: CountName | undefined
  /** True if a word says that it is a rate. */
  readonly isNamedRate: boolean
}

/** The meaning of a name of rates; undefined if it is none. */
export const rateNamed = (name: string): RateNamed | undefined => {
  const words = name
    .replaceAll("%", " % ")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(?<=\p{L}{4})(rate|quote)\b/giu, " $1")
    .toLowerCase()
    .split(/[\s()[\]_:-]+/)
    .filter((word) => word !== "")
  const isRateWord = (word: string) => rateWords.has(singular(word))
  const isNamedRate = words.some(isRateWord)
  const rest = words.filter((word) => !isRateWord(word))
  const countIn = (those: ReadonlyArray<string>): CountName | undefined => {
    const given = those.filter((word) => !fillers.has(word))
    const column = rateStems.get(given.join("-")) ?? recognize(given.join(" "))?.column
    return column === "name" ? undefined : column
  }
  const split = (at: number) => [rest.slice(0, at), rest.slice(at + 1)] as const
  const [to, per] = [/^(?:to|→|->|zu|vers)$/, /^(?:of|per|von|sur|pro|out|\/)$/].map((form) =>
    rest.findIndex((word, place) => place > 0 && form.test(word))
  )
  if (to !== undefined && to > 0) {
    const [from, until] = split(to)
    const [base, count] = [countIn(from), countIn(until)]
    if (base !== undefined && count !== undefined) return { count, base, isNamedRate: true }
  }
  if (per !== undefined && per > 0) {
    const [upper, lower] = split(per)
    const [count, base] = [countIn(upper), countIn(lower)]
    return count === undefined || base === undefined ? undefined : { count, base, isNamedRate: true }
  }
  const count = countIn(rest)
  return count === undefined ? undefined : { count, base: undefined, isNamedRate }
}

/** The amounts in columns: what won deals brought together, or each of them, or what campaigns cost. */
export type AmountName = "revenue" | "deal_value" | "spend"

const namesOfAmounts: { readonly [name in AmountName]: string } = {
  revenue:
    "Revenue, Won revenue, Closed revenue, Won amount, Won value, Won opportunities value, Closed won revenue, " +
    "Closed won amount, Closed won value, Closed amount, Closed value, Revenue generated, Umsatz, Chiffre d'affaires, CA, CA signé, Ingresos, Receita, " +
    "Faturamento, Fatturato, Ricavi, Omzet, Przychód, Przychody",
  deal_value:
    "Deal value, Average deal value, Avg deal value, Deal size, Average deal size, Avg deal size, ACV, Contract value, " +
    "Average contract value, Deal amount, Auftragswert, Valeur du contrat, Valor del contrato, Valor do contrato, " +
    "Valore contratto, Dealwaarde, Wartość umowy",
  spend:
    "Spend, Spent, Total spend, Amount spent, Ad spend, Campaign spend, Cost, Costs, Campaign cost, Total cost, " +
    "Kosten, Ausgaben, Coût, Coûts, Dépenses, Coste, Costes, Costo, Gasto, Gastos, Custo, Custos, Costi, Spesa, Spese, " +
    "Uitgaven, Koszt, Koszty, Wydatki"
}

const currencyWord = new RegExp(`(?<![\\p{L}\\d])${currencySigns}(?![\\p{L}\\d])`, "giu")

/** The words of a name of an amount, without its currency. */
const amountKey = (name: string) =>
  keyOf(
    wordsOf(name.replaceAll(/\([^()]*\)|\[[^\]]*\]/g, " ").replaceAll(currencyWord, " ")).filter(
      (word) => !fillers.has(word)
    )
  )

const amounts = new Map(
  (["revenue", "deal_value", "spend"] as const).flatMap((amount) =>
    namesIn(namesOfAmounts[amount]).map((name) => [amountKey(name), amount] as const)
  )
)

/** Names of what deals brought, if they are in a currency. */
const ofDeals: ReadonlySet<string> = new Set(["Won", "Closed won", "Deals won", "Sales"].map(amountKey))

/** The amounts that a name says its column has; `isMoney` is true if its cells have currencies. */
export const amountNamed = (name: string, isMoney: boolean): AmountName | undefined =>
  amounts.get(amountKey(name)) ??
  ((isMoney || currencyIn(name) !== undefined) && ofDeals.has(amountKey(name)) ? "revenue" : undefined)

/** The currency in a name: Revenue (EUR), Spend $. */
export const currencyIn = (name: string): Currency | undefined => {
  const [sign] = name.match(currencyWord) ?? []
  return sign === undefined ? undefined : splitCurrency(`1 ${sign}`).currency
}

/** The days that a qualifier of a name says; undefined if it says no length. */
export const daysIn = (qualifier: string): number | undefined => {
  if (/(?:all|life)[ -]?time|to date|since|overall/.test(qualifier)) return Infinity
  const named = { mtd: 31, qtd: 92, ytd: 366, q: 91, h: 182 }[
    /\b(?:[mqy]td|[qh](?=[1-4]\b))/.exec(qualifier)?.[0] ?? ""
  ]
  const [, times = "1", unit = ""] = /(\d*) ?(day|week|month|quarter|year)s?\b/.exec(qualifier) ?? []
  const days = { day: 1, week: 7, month: 30, quarter: 91, year: 365 }[unit]
  return named ?? (days === undefined ? undefined : Number(times || "1") * days)
}

/** The counts of names that mean several things, which are asked about where no other column has them. */
const meanings: ReadonlyMap<string, ReadonlyArray<CountName>> = new Map(
  Object.entries({
    call: ["meetings"],
    held: ["meetings_held"],
    show: ["meetings_held"],
    deal: ["clients"],
    sale: ["clients"],
    closed: ["clients"],
    "contact won": ["clients"],
    opportunity: ["positive_replies", "clients"]
  } as const)
)

/** The counts that a name which means several things may be of; none for other names. */
export const mayCount = (name: string): ReadonlyArray<CountName> =>
  meanings.get(keyOf(wordsOf(name).filter((word) => !fillers.has(word)))) ?? []

const automaticWord =
  /auto(?:mat\p{L}+)?[ _-]?(?:repl|resp|answ|antw)|(?:répon|resp|risp)\p{L}+ auto|abwesen|afwezig|absence|repl(?:y|ies)(?:[ _-]?count)?[ _-]*\(?auto|out[ _-]?of[ _-]?(?:the[ _-]?)?office|(?<!\p{L})ooo(?!\p{L})/iu

/** Words for messages that are no emails. */
export const otherChannel =
  /linked ?in|whats ?app|\btelefon\p{L}*|\b(?:sms|phone|calls?|calling|(?<!plain[ -])texts?|twitter|dms?|tasks?|manual|postal|letters?|voice ?mails?|instagram)\b/iu

const months =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
/** Words in brackets that leave the name of a count before them what it is: a period, or what it includes. */
const aside = new RegExp(
  `^(?:(?:in|ex)[ck]l\\p{L}*\\b.*|.* (?:incl|excl)uded|(?:with|without|w/o?|from|of)\\b[^%]*|(?:last|past|this|previous) .*|since .*|(?:life|all)[ -]?time|to date|actuals?|[ymq]td|[qh][1-4]|${months}|e-?mails?|stk\\.?|anz\\.?|anzahl|count|number|[\\d\\s./–-]*|(?:${months})[ -]?\\d{2,4}|[qh][1-4][ -]?\\d{2,4})$`,
  "iu"
)

/** A part of a name in brackets, or words at its end that say whether it includes automatic replies. */
const asideParts = new RegExp(
  `[([]([^)\\]]*)[)\\]]|(?<= )((?:(?:incl|excl)\\p{L}*|with(?:out)?|w/o?)[ .].*(?:${automaticWord.source}).*)$`,
  "giu"
)

/** A name with a period before it, as below the name of a group of columns: Q1 2026 Sent. */
const periodFirst = new RegExp(`^((?:[qh][1-4]|${months}|(?=20\\d\\d))(?:[ -]?(?:20)?\\d\\d)?) (\\D+)$`, "i")

/** A name with a path before it, as programs write it: stats.sent, data.campaign.reply_count. */
const path = /^(?:\w+\.)+(?=\w+$)/

/**
 * The meaning of a column's name; undefined if it is unknown, without guessing. It is qualified if a part in brackets
 * says more, such as a period.
 */
export const recognize = (
  name: string
): (Recognized & { readonly rank: number; readonly qualifier: string }) | undefined => {
  if (/\p{Sc}/u.test(name)) return undefined
  const whole = byWords(name) ?? (path.test(name) ? byWords(name.replace(path, "")) : undefined)
  if (whole !== undefined) return { ...whole, qualifier: "" }
  if (periodFirst.test(name)) return recognize(name.replace(periodFirst, "$2 ($1)"))
  const asides = [...name.matchAll(asideParts)].map(([, inside, behind = ""]) => (inside ?? behind).trim())
  const isAside = (part: string) => part.length <= 60 && aside.test(part) && !otherChannel.test(part)
  if (asides.length === 0 || !asides.every((part) => isAside(part))) return undefined
  const rest = byWords(name.replaceAll(asideParts, ""))
  return rest === undefined ? undefined : { ...rest, qualifier: asides.join(" ").toLowerCase() }
}

/** True if a name says that its column has automatic replies, or that replies include them. */
export const mentionsAutomatic = (name: string): boolean => automaticWord.test(name)

/** True if a name says that its column has replies without automatic ones. */
export const isOfPeopleOnly = (name: string): boolean =>
  /(?<!\p{L})(?:human|real|manual)(?!\p{L})/iu.test(name) ||
  (mentionsAutomatic(name) && /(?<!\p{L})(?:excl|without|w\/o|non|no(?!\p{L}|\.| of\b))/iu.test(name))

const people: ReadonlySet<string> = new Set(["contact", "contacted", "recipient", "unique", "enrolled", "audience"])

/** True if a name says that its column counts contacts, whatever they did. */
export const countsContacts = (name: string): boolean => wordsOf(name).some((word) => people.has(word))

/** True if a name is one of people: Prospects, Total enrolled. */
export const isOfPeople = (name: string): boolean => {
  const words = wordsOf(name).filter((word) => !fillers.has(word))
  return words.length > 0 && words.length < 3 && people.has(words[0] ?? "") && words[0] !== "unique"
}

/** True if a name says that its column has whom campaigns were for, which tells those of one name apart. */
export const isOfOwners = (name: string): boolean =>
  /^(?:client|account|workspace|brand|project|projekt|projet|proyecto|projeto|marke)(?: name)?$/.test(
    wordsOf(name).join(" ")
  )

/** True if a name says that its column has the channel or kind of a message. */
export const isOfChannels = (name: string): boolean =>
  /^(?:(?:step|task|message|campaign|activity|action)[ _]?)?(?:channel|type|medium|kind|kanal)$/i.test(name.trim())

/** True if a name says that its rows have all that came before, or are reports of one time. */
export const isOfRunningTotals = (name: string): boolean =>
  /cumul|running total|snapshot|\bas[ _]of\b|to[ _]date/i.test(name)

/** True if a name says that its column has the state that a campaign is in. */
export const isOfStates = (name: string): boolean =>
  /^(?:(?:campaign|sequence|cadence)[ _]?)?(?:status|state|statut|estado|stato|stan)$/i.test(name.trim())

const dateWords =
  /(?:^|[^\p{L}])(?:date|hour|day|weekday|week|month|quarter|year|time|datum|tag|wochentag|woche|monat|quartal|jour|semaine|mois|fecha|semana|mes|maand|created|updated|started|launched|finished|last|at|on)(?:$|[^\p{L}])/iu

/** True if a name says that its column has dates. */
export const isOfDates = (name: string): boolean =>
  dateWords.test(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " "))

/** True if a name says that its rows are parts of a campaign: its steps or variants. */
export const isOfSteps = (name: string): boolean =>
  /^(?:(?:sequence )?steps?|variants?|variations?|version|templates?|touch|a\/b)\b/i.test(name.trim())

/** True if a name says that its rows are mailboxes or people who send. */
export const isOfSenders = (name: string): boolean =>
  /^(?:senders?|sent (?:by|from)|from|mailbox(?:es)?|inbox(?:es)?|sending (?:account|domain)|e-?mail (?:account|address)|domains?|sdrs?|bdrs?|reps?|sales ?reps?|owner|users?|team ?mates?|agents?)(?: (?:name|e-?mail))?$/i.test(
    name.trim().replaceAll("_", " ")
  )

/** True if a name says that its rows are groups of contacts, whichever campaigns these were in. */
export const isOfGroups = (name: string): boolean =>
  /^(?:(?:target|lead|contact|company|e-?mail) )?(?:industry|vertical|sector|niche|country(?: code)?|city|region|market|territory|segment|persona|language|size|seniority|job title|provider|esp|source|tag|branche|land|pays|pa[ií]s|secteur|setor)s?$/i.test(
    name.trim().replaceAll("_", " ")
  )

const stepWord =
  /(?:^|[\s\-–—:|_/,(]+)(?:step|variant|variation|version|touch|e-?mail|follow-?up)[\s#_-]*(?:\d{1,2}|[a-e])\)?$/i

/** A letter of a variant, which is no word for it: Alpha (A), Alpha - B. */
const letter = /(?: ?[([]| [-–—/] ?)([A-E])[)\]]?$/

/**
 * The names of campaigns in the names of rows that all end with a step or variant; undefined if one does not, or if a
 * campaign has only one row and its end may be no variant, but a letter.
 */
export const campaignsOfSteps = (names: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const campaigns = names.flatMap((name) => withoutStep(name) ?? [])
  if (names.length === 0 || campaigns.length < names.length) return undefined
  const haveSeveral = [...Map.groupBy(campaigns, (campaign) => campaign).values()].every(({ length }) => length > 1)
  return haveSeveral || names.every((name) => stepWord.test(name)) ? campaigns : undefined
}

/** A campaign's name without the step or variant at its end; undefined if there is none. */
export const withoutStep = (name: string): string | undefined => {
  const end = [stepWord, letter].find((form) => form.test(name))
  return end === undefined ? undefined : name.replace(end, "").trim()
}
