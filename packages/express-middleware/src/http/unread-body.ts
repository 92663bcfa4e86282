/**
 * What becomes of a connection whose request was not read to its end.
 *
 * Node.js would keep it for a next request, which cannot come before the rest of this body, until its keep-alive timeout. So
 * the answer ends it. HTTP/2 has no such header, and a server of Web requests looks after its connections itself.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import type { Rejection } from '../config/rejection.js'
import type { Answer } from './answer.js'
import { type AnyRequest, isOfHttp1 } from './any-request.js'

type Reason = Pick<Rejection, 'reason'>

/** Ends the connection with the answer when a body was longer than what is read. */
export function endingUnread(
  answer: Answer,
  { rejection, request }: { readonly rejection: Reason | undefined; readonly request: AnyRequest },
): Answer {
  if (rejection === undefined || !isLeftUnread(rejection) || !isOfHttp1(request)) return answer
  return { ...answer, headers: { ...answer.headers, ...ending } }
}

/** The same for an answer that somebody else gives. */
export function endUnreadBody(response: ServerResponse, rejection: Reason): void {
  if (!isLeftUnread(rejection) || response.headersSent) return
  for (const [name, value] of Object.entries(ending)) response.setHeader(name, value)
}

const ending = { Connection: 'close' } as const
const isLeftUnread = ({ reason }: Reason): boolean => reason === 'too-large'
