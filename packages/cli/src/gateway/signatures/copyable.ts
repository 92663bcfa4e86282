import { type Html, html } from '@tillkit/testing/gateway'

/** Writes a text that is copied as a whole: one click selects it, and the script adds a button. */
export const writeCopyable = (id: string, label: string, text: string): Html =>
  html`<div class="copyable"><h3 id="${id}-label">${label}</h3>
<pre id="${id}" data-copy tabindex="0" role="region" aria-labelledby="${id}-label">${text}</pre></div>`

/** Adds a button to each text that can be copied. */
export const copyScript = `
for (const text of document.querySelectorAll('[data-copy]')) {
  const label = document.getElementById(text.id + '-label').textContent
  const button = document.createElement('button')
  const said = document.createElement('span')
  button.type = 'button'
  button.className = 'quiet copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy: ' + label)
  said.setAttribute('role', 'status')
  said.className = 'soft'
  button.addEventListener('click', async () => {
    getSelection().selectAllChildren(text)
    try {
      await navigator.clipboard.writeText(text.textContent)
      said.textContent = 'Copied'
    } catch {
      said.textContent = document.execCommand('copy') ? 'Copied' : 'Selected: copy it with the keyboard'
    }
  })
  text.before(button, said)
}
`
