import { html } from "../../text/html.ts"

/** The script of pages with the form. */
export const searchScript = "guide.js"

/** The path of the file that is searched, which the script fetches once. */
export const searchPath = "/docs/search.json"

/** The search of the guide and the reference, which its script shows; without it, there is the index. */
export const searchForm = html`<form role="search" class="guide-search" data-index="${searchPath}" hidden>
<label for="guide-search">Search headings, codes and fields</label>
<input type="search" id="guide-search" autocomplete="off" spellcheck="false" maxlength="100" aria-describedby="guide-found">
<p id="guide-found" class="soft" role="status">For example: retry, 429, reply_rate.</p>
<ol></ol>
</form>`
