import { postHistory } from "./postHistory.ts"

const button = document.querySelector<HTMLButtonElement>("#print")
if (button !== null) {
  button.hidden = false
  button.addEventListener("click", () => print())
}

void postHistory()
