/** A piece of HTML. */
export interface Html {
  readonly html: string
}

type Piece = Html | string | undefined | readonly Html[]

/** Builds HTML. Strings are escaped, pieces of HTML and lists of them are taken as they are, undefined is nothing. */
export function html(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const parts = texts.flatMap((text, index) => [text, write(pieces[index])])
  return { html: parts.join('') }
}

function write(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string') return escapeText(piece)
  return 'html' in piece ? piece.html : piece.map(({ html: text }) => text).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? character)
