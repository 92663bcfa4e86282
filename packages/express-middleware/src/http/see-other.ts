/**
 * The answer that turns a POST into a GET: 303 See Other.
 *
 * @see RFC 9110 section 15.4.4
 * @module
 */
import type { ServerResponse } from 'node:http'
import type { Answer } from './answer.js'
import { sendAnswer } from './send-answer.js'

/** 303, not to be stored, and without telling the next page where the customer came from. */
export function seeOtherAnswer(location: string): Answer {
  const headers = { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return { status: 303, headers, body: '' }
}

/** Answers so. */
export function seeOther(response: ServerResponse, location: string): void {
  sendAnswer(response, seeOtherAnswer(location))
}
