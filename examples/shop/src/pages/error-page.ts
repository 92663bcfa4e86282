/**
 * The page for what did not work.
 *
 * @module
 */
import { type Html, html } from './html.js'
import { layout } from './layout.js'

/** What the page says, and where it leads. */
export interface ErrorPage {
  readonly title: string
  readonly text: string
  /** Address of the shelf. Default: the path `/`. */
  readonly shelf?: string
}

/** Says what happened and where to go from here. */
export function errorPage({ title, text, shelf = '/' }: ErrorPage): Html {
  return layout({
    title,
    body: html`<h1>${title}</h1><p class="lead">${text}</p><p><a class="button" href="${shelf}">Back to the shelf</a></p>`,
  })
}
