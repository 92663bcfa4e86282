/**
 * The page for what did not work.
 *
 * @module
 */
import { type Html, html } from './html.js'
import { layout } from './layout.js'

/** Says what happened and where to go from here. */
export function errorPage({ title, text }: { readonly title: string; readonly text: string }): Html {
  return layout({
    title,
    body: html`<h1>${title}</h1><p class="lead">${text}</p><p><a class="button" href="/">Back to the shelf</a></p>`,
  })
}
