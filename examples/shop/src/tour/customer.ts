/** A customer with a browser, as far as the tour needs one: opens pages, fills in forms, lets itself be redirected. */
import { parse } from 'node-html-parser'

/** The page a customer looks at. */
export interface OpenPage {
  readonly url: URL
  readonly status: number
  readonly html: string
}

/** Opens an address and follows redirects, as a browser does. */
export async function open(address: URL | string, init: RequestInit = {}): Promise<OpenPage> {
  const response = await fetch(address, { headers: { accept: 'text/html' }, ...init })
  return { url: new URL(response.url), status: response.status, html: await response.text() }
}

/**
 * Submits the first form of a page: its hidden fields as they are, and what the customer types.
 *
 * @throws when the page has no form, or none of the fields that are typed.
 */
export async function submit(page: OpenPage, typed: Readonly<Record<string, string>>): Promise<OpenPage> {
  const form = parse(page.html).querySelector('form')
  if (form === null)
    throw new Error(`The page ${page.url.pathname} has no form: ${parse(page.html).structuredText.slice(0, 300)}`)
  const inputs = form.querySelectorAll('input, select, textarea')
  const named = (name: string) => inputs.some(input => input.getAttribute('name') === name)
  const missing = Object.keys(typed).find(name => !named(name))
  if (missing !== undefined) throw new Error(`The form of ${page.url.pathname} has no field "${missing}".`)
  const values = inputs.flatMap(input => {
    const name = input.getAttribute('name')
    return name === undefined ? [] : [[name, typed[name] ?? input.getAttribute('value') ?? ''] as [string, string]]
  })
  const action = new URL(form.getAttribute('action') ?? '', page.url)
  return open(action, { method: 'POST', body: new URLSearchParams(values) })
}
