/** Copies a text and confirms it on the button; `onRefusal` runs if it cannot be read or copied. */
export const copyText = async (button: HTMLButtonElement, read: () => Promise<string>, onRefusal: () => void) => {
  const { textContent: label } = button
  try {
    await navigator.clipboard.writeText(await read())
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  } catch {
    onRefusal()
  }
}
