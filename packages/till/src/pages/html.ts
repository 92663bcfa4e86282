/** A piece of HTML, which is not escaped any more. */
export interface Html {
  readonly html: string
}

/** Builds HTML. Strings are escaped; pieces are taken as they are, lists of them one after the other; undefined is nothing. */
export function html(
  texts: TemplateStringsArray,
  ...values: readonly (Html | readonly Html[] | string | undefined)[]
): Html {
  return { html: texts.map((text, index) => text + written(values[index])).join('') }
}

function written(value: Html | readonly Html[] | string | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
  return 'html' in value ? value.html : value.map(each => each.html).join('')
}

/** Marks text of our own as HTML. */
export const trusted = (text: string): Html => ({ html: text })
