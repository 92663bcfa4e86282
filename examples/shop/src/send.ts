/**
 * Answers with a page.
 *
 * @module
 */
import type { Response } from 'express'
import type { Html } from './pages/html.js'

/** Sends a page. */
export function send(response: Response, page: Html): void {
  response.type('html').send(page.html)
}
