import type { Parameter } from '@tillkit/signing'

/** A page that a customer looks at. */
export interface OpenPage {
  readonly url: URL
  /** HTTP status. */
  readonly status: number
  readonly html: string
}

export interface PageForm {
  readonly action: URL
  readonly fields: readonly Parameter[]
  /** Names of fields that are typed into. */
  readonly inputs: readonly string[]
  /** Name of the frame that it posts into. */
  readonly target: string | undefined
}

export function formsOf({ html, url }: OpenPage): readonly PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)].flatMap(([, head = '', body = '']) => {
    if (attribute(head, 'method')?.toLowerCase() !== 'post') return []
    const inputs = [...body.matchAll(/<input\b([^>]*)>/gi)].map(([, each = '']) => ({
      name: attribute(each, 'name'),
      value: attribute(each, 'value') ?? '',
      isHidden: attribute(each, 'type') === 'hidden',
    }))
    return [
      {
        action: new URL(attribute(head, 'action') ?? '', url),
        fields: inputs.flatMap(({ name, value }): Parameter[] => (name === undefined ? [] : [[name, value]])),
        inputs: inputs.flatMap(({ name, isHidden }) => (name === undefined || isHidden ? [] : [name])),
        target: attribute(head, 'target')?.replace(/^_.*/, '') || undefined,
      },
    ]
  })
}

/** Where a page leads at once without a script; undefined for one that waits first. */
export function refreshOf({ html, url }: OpenPage): URL | undefined {
  const tag = /<meta\b[^>]*http-equiv="refresh"[^>]*>/i.exec(html.replace(/<noscript>.*?<\/noscript>/gis, ''))?.[0]
  const to = /^0;\s*url=(.*)$/i.exec(attribute(tag ?? '', 'content') ?? '')?.[1]
  return to === undefined ? undefined : new URL(to, url)
}

/** Whether a script of the page posts its form. */
export const submitsItself = ({ html }: OpenPage): boolean =>
  [...html.matchAll(/<script\b[^>]*>(.*?)<\/script>/gis)].some(([, script = '']) => script.includes('.submit()'))

export const mistakesOn = ({ html }: OpenPage): readonly string[] =>
  [...html.matchAll(/<p class="error"[^>]*>(.*?)<\/p>/gis)].map(([, text = '']) => unescaped(text))

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`, 'i').exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:(amp|lt|gt|quot)|#(\d{1,6}));/g, (all, name?: string, code?: string) =>
    code === undefined ? (entities[name ?? ''] ?? all) : String.fromCodePoint(Number(code)),
  )
