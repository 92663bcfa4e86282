/** HTML as text that is escaped unless it is HTML already. */
import type { Response } from 'express'

/** A piece of HTML. */
export interface Html {
  readonly html: string
}

type Value = Html | string | number | undefined | false | readonly (Html | string)[]

/** Builds HTML; every value is escaped unless it came from this function. `undefined` and `false` print nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: parts.map((part, index) => part + printed(values[index])).join('') }
}

/** Marks text as HTML: for style sheets and drawings of our own, never for anything from outside. */
export function trusted(text: string): Html {
  return { html: text }
}

function printed(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return 'html' in value ? value.html : value.map(printed).join('')
  return String(value).replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** Sends a page. */
export function send(response: Response, page: Html): void {
  response.type('html').send(page.html)
}
