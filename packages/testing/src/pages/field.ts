import { type Html, html } from './document.js'

export interface Field {
  readonly name: string
  readonly label: string
  readonly autocomplete: string
  /** `numeric` brings up a digit keyboard. Default: `text`. */
  readonly inputMode?: 'numeric' | 'text' | 'tel'
  readonly maxLength: number
  /** Never filled in again. Default: false. */
  readonly secret?: boolean
}

export type Typed = Readonly<Record<string, string | undefined>>

export type Mistakes = Readonly<Record<string, string>>

export interface PageInput {
  readonly typed?: Typed
  readonly mistakes?: Mistakes
}

/** For the code, or password, that the bank asks for. */
export const codeField = (label: string): Field => ({
  name: 'password',
  label,
  autocomplete: 'one-time-code',
  maxLength: 64,
  secret: true,
})

/** What was read from a page, or why nothing was. */
export type Read<Kind extends string, Value> =
  | ({ readonly kind: Kind } & Readonly<Value>)
  | { readonly kind: 'mistakes'; readonly mistakes: Mistakes }

/** Writes an input. A mistake is tied to it, so that screen readers read it out. */
export function writeField(field: Field, { typed = {}, mistakes = {} }: PageInput = {}): Html {
  const { name, label, autocomplete, inputMode = 'text', maxLength, secret = false } = field
  const mistake = mistakes[name]
  const value = secret ? '' : (typed[name] ?? '')
  const invalid = mistake === undefined ? undefined : html` aria-invalid="true" aria-describedby="${name}-error"`
  // The cursor goes to the first mistake.
  const focus = mistake !== undefined && Object.keys(mistakes)[0] === name ? html` autofocus` : undefined
  const error = mistake === undefined ? undefined : html`<p class="error" id="${name}-error">${mistake}</p>`
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}"
inputmode="${inputMode}" maxlength="${String(maxLength)}" spellcheck="false"${invalid}${focus}>${error}</div>
`
}

/** Writes a line above a form that says how much is wrong. */
export function writeAlert(mistakes: Mistakes): Html | undefined {
  const count = Object.keys(mistakes).length
  if (count === 0) return undefined
  return html`<p class="alert" role="alert">${count === 1 ? 'One field needs' : `${count} fields need`} another look.</p>\n`
}
